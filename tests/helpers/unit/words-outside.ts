import ts from 'typescript'

/** Attributes and properties with text for users. */
const SPOKEN = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'label'],
  ...['hint', 'alt', 'text', 'description', 'caption', 'heading'],
])

/** Properties of the document and its nodes. */
const WRITTEN = new Set(['title', 'textContent', 'innerText', 'placeholder', 'ariaLabel'])
/** Text starts with a capital; in markup, two words also count. Kinds, states and text ids have neither. */
const WORDS = /\p{Lu}\p{Ll}/u
const WORDS_OF_MARKUP = /\p{Lu}\p{Ll}|\p{L}{2} .*\p{L}/u
const ID = /^[a-z]+\.[a-z]\w*$/i
/** Operators of which both operands may be shown. */
const JOINING = new Set([ts.SyntaxKind.PlusToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken])

/** Texts for users that are in the code instead of a catalogue, as "file: text". */
export function wordsOutside(file: string, code: string): string[] {
  const found: string[] = []
  const words = file.endsWith('x') ? WORDS_OF_MARKUP : WORDS
  const note = (text: string): void => {
    if (words.test(text) && !ID.test(text)) found.push(`${file}: ${text.trim()}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note(node.text)
    else for (const value of spokenValues(node)) note(value)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return found
}

function spokenValues(node: ts.Node): string[] {
  if (ts.isJsxElement(node)) return node.children.flatMap((child) => (ts.isJsxExpression(child) ? textsOf(child) : []))
  if (ts.isJsxAttribute(node)) return SPOKEN.has(jsxName(node.name)) ? textsOf(node.initializer) : []
  if (ts.isPropertyAssignment(node)) return SPOKEN.has(nameOf(node.name)) ? textsOf(node.initializer) : []
  if (ts.isCallExpression(node) && accessed(node.expression) === 'setAttribute') {
    const [name, value] = node.arguments
    return name !== undefined && ts.isStringLiteral(name) && SPOKEN.has(name.text) ? textsOf(value) : []
  }
  const assigned = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
  return assigned && WRITTEN.has(accessed(node.left) ?? '') ? textsOf(node.right) : []
}

/** "title" of `document.title`. */
function accessed(node: ts.Node): string | undefined {
  return ts.isPropertyAccessExpression(node) ? node.name.text : undefined
}

function jsxName(name: ts.JsxAttributeName): string {
  return ts.isIdentifier(name) ? name.text : ''
}

function nameOf(name: ts.PropertyName): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : ''
}

/** The string literals that a value may have. */
function textsOf(value: ts.Node | undefined): string[] {
  if (value === undefined) return []
  if (ts.isStringLiteral(value) || ts.isNoSubstitutionTemplateLiteral(value)) return [value.text]
  if (ts.isTemplateExpression(value))
    return [[value.head, ...value.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ')]
  if (ts.isConditionalExpression(value)) return [...textsOf(value.whenTrue), ...textsOf(value.whenFalse)]
  if (ts.isJsxExpression(value)) return textsOf(value.expression)
  if (ts.isParenthesizedExpression(value)) return textsOf(value.expression)
  if (!ts.isBinaryExpression(value)) return []
  const right = textsOf(value.right)
  if (value.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return right
  return JOINING.has(value.operatorToken.kind) ? [...textsOf(value.left), ...right] : []
}
