import type { Plugin } from 'vite'

/** Built-in modules of Node that take a millisecond or more to load and that most commands never call. */
const SLOW = ['node:child_process', 'node:crypto']

const IMPORT = new RegExp(
  String.raw`^let (\w+) = require\("(${SLOW.join('|')})"\);\n(?:\1 = \w+\.__toESM\(\1, 1\);\n)?`,
  'gm',
)

/** Loads them with their first call: a bundle names their exports at each call, so nobody can tell the difference. */
export function lazyBuiltIns(): Plugin {
  return {
    name: 'lazy-built-ins',
    renderChunk(code) {
      const lazy = code.replace(IMPORT, (_whole, variable: string, name: string) => {
        const module = `process.getBuiltinModule("${name}")`
        return `const ${variable} = new Proxy({}, { get: (_, key) => key === "default" ? ${module} : ${module}[key] });\n`
      })
      return { code: lazy, map: null }
    },
  }
}
