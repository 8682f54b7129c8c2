// Types of the wire, written out: what the contract says by schemas stands here as plain TypeScript, which needs no other package.
import path from 'node:path';
import ts from 'typescript';

/** One declaration for each name, which some file of the folder exports as a type. */
export function spelledOut(program: ts.Program, folder: string, names: ReadonlySet<string>): string {
  const checker = program.getTypeChecker();
  const found = new Map<string, string>();
  for (const source of program.getSourceFiles()) {
    if (path.dirname(path.resolve(source.fileName)) !== folder) continue;
    const module = checker.getSymbolAtLocation(source);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      if (!names.has(symbol.name) || found.has(symbol.name)) continue;
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      if ((type.flags & ts.TypeFlags.Any) !== 0) continue;
      found.set(symbol.name, `export type ${symbol.name} = ${spell(checker, type, '')};\n`);
    }
  }
  const missing = [...names].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`the contract has no types named ${missing.join(', ')}`);
  return [...found.keys()]
    .sort()
    .map((name) => found.get(name))
    .join('\n');
}

/** Wire data only: what is neither a plain value, a list, an object nor one of several is a fault of the contract. */
function spell(checker: ts.TypeChecker, type: ts.Type, indent: string): string {
  if (type.isUnion()) return spellUnion(checker, type.types, indent);
  if (type.isIntersection()) return spellObject(checker, type, indent);
  if (checker.isTupleType(type)) {
    const parts = checker.getTypeArguments(type as ts.TypeReference);
    return `readonly [${parts.map((part) => spell(checker, part, indent)).join(', ')}]`;
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    const spelled = item === undefined ? 'unknown' : spell(checker, item, indent);
    return spelled.includes(' | ') ? `readonly (${spelled})[]` : `readonly ${spelled}[]`;
  }
  if ((type.flags & ts.TypeFlags.Object) !== 0) return spellObject(checker, type, indent);
  const plain = checker.typeToString(type);
  if (!/^("(\\.|[^"\\])*"|-?\d+|string|number|boolean|true|false|null|undefined|unknown)$/.test(plain))
    throw new Error(`no type of the wire: ${plain}`);
  return plain;
}

function spellUnion(checker: ts.TypeChecker, types: readonly ts.Type[], indent: string): string {
  const parts = types.map((part) => spell(checker, part, indent));
  const both = parts.includes('true') && parts.includes('false');
  const words = both ? ['boolean', ...parts.filter((part) => part !== 'true' && part !== 'false')] : parts;
  return [...new Set(words)].join(' | ');
}

function spellObject(checker: ts.TypeChecker, type: ts.Type, indent: string): string {
  const inner = `${indent}  `;
  const fields = checker.getPropertiesOfType(type).map((property) => {
    const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const whole = checker.getTypeOfSymbol(property);
    // What may be absent is never sent as undefined.
    const text = spellUnion(checker, alternatives(whole, optional), inner);
    const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return `${inner}readonly ${name}${optional ? '?' : ''}: ${text};\n`;
  });
  const index = checker
    .getIndexInfosOfType(type)
    .map(
      (info) =>
        `${inner}readonly [key: ${checker.typeToString(info.keyType)}]: ${spell(checker, info.type, inner)};\n`,
    );
  const lines = [...fields, ...index];
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('')}${indent}}`;
}

function alternatives(type: ts.Type, withoutUndefined: boolean): readonly ts.Type[] {
  const types = type.isUnion() ? type.types : [type];
  return withoutUndefined ? types.filter((one) => (one.flags & ts.TypeFlags.Undefined) === 0) : types;
}
