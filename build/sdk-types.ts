// Writes the types of the contract's schemas as plain TypeScript, which needs no other package.
import path from 'node:path';
import ts from 'typescript';

/** One declaration per name. A file of the folder exports each name as a type. */
export function writeOutTypes(program: ts.Program, folder: string, names: ReadonlySet<string>): string {
  const checker = program.getTypeChecker();
  const declarations = new Map<string, string>();
  for (const source of program.getSourceFiles()) {
    if (path.dirname(path.resolve(source.fileName)) !== folder) continue;
    const module = checker.getSymbolAtLocation(source);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      if (!names.has(symbol.name) || declarations.has(symbol.name)) continue;
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      if ((type.flags & ts.TypeFlags.Any) !== 0) continue;
      declarations.set(symbol.name, `export type ${symbol.name} = ${typeText(checker, type, '')};\n`);
    }
  }
  const missing = [...names].filter((name) => !declarations.has(name));
  if (missing.length > 0) throw new Error(`the contract has no types with the names ${missing.join(', ')}`);
  return [...declarations.keys()]
    .sort()
    .map((name) => declarations.get(name))
    .join('\n');
}

/** Supports wire data only: plain values, lists, objects and unions. */
function typeText(checker: ts.TypeChecker, type: ts.Type, indent: string): string {
  if (type.isUnion()) return unionText(checker, type.types, indent);
  if (type.isIntersection()) return objectText(checker, type, indent);
  if (checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type as ts.TypeReference);
    return `readonly [${items.map((part) => typeText(checker, part, indent)).join(', ')}]`;
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    const text = item === undefined ? 'unknown' : typeText(checker, item, indent);
    return text.includes(' | ') ? `readonly (${text})[]` : `readonly ${text}[]`;
  }
  if ((type.flags & ts.TypeFlags.Object) !== 0) return objectText(checker, type, indent);
  const plain = checker.typeToString(type);
  if (!/^("(\\.|[^"\\])*"|-?\d+|string|number|boolean|true|false|null|undefined|unknown)$/.test(plain))
    throw new Error(`not a type of the wire: ${plain}`);
  return plain;
}

function unionText(checker: ts.TypeChecker, types: readonly ts.Type[], indent: string): string {
  const members = types.map((part) => typeText(checker, part, indent));
  const isBoolean = members.includes('true') && members.includes('false');
  const withBoolean = isBoolean
    ? ['boolean', ...members.filter((member) => member !== 'true' && member !== 'false')]
    : members;
  return [...new Set(withBoolean)].join(' | ');
}

function objectText(checker: ts.TypeChecker, type: ts.Type, indent: string): string {
  const inner = `${indent}  `;
  const fields = checker.getPropertiesOfType(type).map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const propertyType = checker.getTypeOfSymbol(property);
    // An absent property is never sent as undefined.
    const text = unionText(checker, alternatives(propertyType, isOptional), inner);
    const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return `${inner}readonly ${name}${isOptional ? '?' : ''}: ${text};\n`;
  });
  const index = checker
    .getIndexInfosOfType(type)
    .map(
      (info) =>
        `${inner}readonly [key: ${checker.typeToString(info.keyType)}]: ${typeText(checker, info.type, inner)};\n`,
    );
  const lines = [...fields, ...index];
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('')}${indent}}`;
}

function alternatives(type: ts.Type, withoutUndefined: boolean): readonly ts.Type[] {
  const types = type.isUnion() ? type.types : [type];
  return withoutUndefined ? types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0) : types;
}
