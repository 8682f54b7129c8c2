// Converts arguments that clients send as text (`"true"`, `"12"`, `"[\"a\"]"`) to the type of the schema, before the schema is checked.
// Only what is unambiguous: all else stays unchanged and is refused by the schema.

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export function coerceArguments(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'integer':
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case 'array':
      return arrayOf(schema, value);
    case 'object':
      return objectOf(schema, value);
    default:
      return value;
  }
}

function arrayOf(schema: Schema, value: unknown): unknown {
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parsed(value) : value;
  const { items } = schema;
  if (!Array.isArray(list) || items === undefined) return value;
  return list.map((item) => coerceArguments(items, item));
}

function objectOf({ properties = {} }: Schema, value: unknown): unknown {
  const object = typeof value === 'string' && value.trimStart().startsWith('{') ? parsed(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(object)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // Clients send null for what the model left out.
    if (member === null && schema !== undefined) continue;
    members.push([name, schema === undefined ? member : coerceArguments(schema, member)]);
  }
  return Object.fromEntries(members);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
