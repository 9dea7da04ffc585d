import type { Plugin } from 'vite'

const SCHEMA = /^ {2}(params|query|body|replies): /m
const DECLARATION = /\b(operation|Type\.\w+)\(/g

/**
 * Takes the schemas out of the operations that the page calls: it needs their method and path, and their types while
 * compiling. What nobody reads then falls away: a declaration does nothing else.
 */
export function trimContract(): Plugin {
  return {
    name: 'filemgr:trim-contract',
    apply: 'build',
    transform: {
      // The page has a folder of the same name.
      filter: { id: /(?<!\/ui)\/src\/(api|domain)\/[\w-]+\.ts$/ },
      handler(code, id) {
        const kept = id.includes('/src/api/') ? withoutSchemaImports(withoutSchemas(code)) : code
        return { code: kept.replace(DECLARATION, '/* @__PURE__ */ $1('), map: null, moduleSideEffects: false }
      },
    },
    enforce: 'pre',
  }
}

/** Relies on the format that the formatter keeps: the properties of an operation are indented by two spaces. */
export function withoutSchemas(code: string): string {
  const match = SCHEMA.exec(code)
  if (match === null) return code
  const start = match.index
  return withoutSchemas(code.slice(0, start) + code.slice(endOfProperty(code, start) + 1).replace(/^\n/, ''))
}

const IMPORT = /^import \{([^}]*)\} from '\.\.\/domain\/[^']+'\n/gm

/** Takes out the imports of which nothing is left but the line: the bundler keeps whole files together by them. */
export function withoutSchemaImports(code: string): string {
  return code.replace(IMPORT, (line, names: string, at: number) => {
    const rest = code.slice(0, at) + code.slice(at + line.length)
    return names.split(',').some((name) => isUsed(name, rest)) ? line : ''
  })
}

function isUsed(name: string, code: string): boolean {
  const [word = ''] = name.trim().split(' ').slice(-1)
  return word !== '' && new RegExp(`\\b${word}\\b`).test(code)
}

/** The place of the comma that ends the property. */
function endOfProperty(code: string, start: number): number {
  let depth = 0
  for (let index = start; index < code.length; index++) {
    const character = code.charAt(index)
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === ',' && depth === 0) return index
  }
  throw new Error(`a property of an operation does not end: ${code.slice(start, start + 80)}`)
}
