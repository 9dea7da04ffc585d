import { join, relative } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const MUTATORS = ['push', 'unshift', 'splice', 'fill', 'copyWithin']

/** The server's program, with more files that are not on the disk. @param extra texts by path in the repository */
export function serverProgram(extra: Readonly<Record<string, string>> = {}): ts.Program {
  const project = join(root, 'config/tsconfig/server.json')
  const { config } = ts.readConfigFile(project, (path) => ts.sys.readFile(path)) as { config: unknown }
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'config/tsconfig'))
  const texts = new Map(Object.entries(extra).map(([path, text]) => [join(root, path), text]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.getSourceFile = (path, language, ...more) => {
    const text = texts.get(path)
    return text === undefined ? getSourceFile(path, language, ...more) : ts.createSourceFile(path, text, language)
  }
  return ts.createProgram({ rootNames: [...fileNames, ...texts.keys()], options, host })
}

/** The files of the server that change the list of accounts of a store, or make a store with accounts. */
export function filesThatWriteAccounts(program: ts.Program): string[] {
  const checker = program.getTypeChecker()
  const isDocument = (type: ts.Type | undefined): boolean => {
    const names = ['settings', 'users', 'shares', 'nextUserId', 'secrets']
    return type !== undefined && names.every((name) => checker.getPropertyOfType(type, name) !== undefined)
  }
  const isUsersOfDocument = (node: ts.Node): boolean => {
    if (ts.isPropertyAccessExpression(node))
      return node.name.text === 'users' && isDocument(checker.getTypeAtLocation(node.expression))
    const declared = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined
    if (declared === undefined || !ts.isBindingElement(declared)) return false
    return (
      (declared.propertyName ?? declared.name).getText() === 'users' &&
      isDocument(checker.getTypeAtLocation(declared.parent))
    )
  }

  const writes = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node) && isAssignment(node)) {
      const { left } = node
      return isUsersOfDocument(left) || (ts.isElementAccessExpression(left) && isUsersOfDocument(left.expression))
    }
    if (ts.isCallExpression(node)) return isMutation(node) || isMerge(node)
    return (
      ts.isObjectLiteralExpression(node) && isDocument(checker.getContextualType(node)) && node.properties.some(isUsers)
    )
  }
  /** Accounts of a document that is made here, not of one that is passed on. */
  const isUsers = (property: ts.ObjectLiteralElementLike): boolean => {
    if (!ts.isSpreadAssignment(property)) return property.name.getText() === 'users'
    const type = checker.getTypeAtLocation(property.expression)
    return checker.getPropertyOfType(type, 'users') !== undefined && !isDocument(type)
  }
  const isMutation = ({ expression }: ts.CallExpression): boolean =>
    ts.isPropertyAccessExpression(expression) &&
    MUTATORS.includes(expression.name.text) &&
    isUsersOfDocument(expression.expression)
  const isMerge = ({ expression, arguments: [target] }: ts.CallExpression): boolean =>
    expression.getText() === 'Object.assign' && target !== undefined && isDocument(checker.getTypeAtLocation(target))

  const contains = (node: ts.Node): boolean => writes(node) || ts.forEachChild(node, contains) === true
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(join(root, 'src/')))
    .filter(contains)
    .map(({ fileName }) => relative(root, fileName))
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}
