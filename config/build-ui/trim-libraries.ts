import type { Plugin } from 'vite'

interface Unused {
  readonly file: RegExp
  /** What stands in its place. */
  readonly code: string
}

/** What libraries hold together with what the page uses of them, and the page never reaches. */
const UNUSED: readonly Unused[] = [
  // Links of the page are those of ui/src/kit/button/app-link.tsx.
  {
    file: /\/@tanstack\/react-router\/dist\/esm\/link\.js$/,
    code: refusals('Link', 'createLink', 'linkOptions', 'useLinkProps'),
  },
  // A script for pages that a server has drawn.
  {
    file: /\/@tanstack\/react-router\/dist\/esm\/scroll-restoration\.js$/,
    code: 'export const ScrollRestoration = () => null',
  },
  {
    file: /\/@tanstack\/query-core\/build\/modern\/infiniteQueryBehavior\.js$/,
    code: refusals('hasNextPage', 'hasPreviousPage', 'infiniteQueryBehavior'),
  },
]

function refusals(...names: string[]): string {
  const exported = names.map((name) => `refuse as ${name}`).join(', ')
  return `const refuse = () => { throw new Error('left out') }\nexport { ${exported} }`
}

/** Leaves out of the build what no tree shaking can: parts of libraries that their other parts name, but never call here. */
export function trimLibraries(): Plugin {
  const left = new Set(UNUSED)
  return {
    name: 'filemgr:trim-libraries',
    apply: 'build',
    transform: {
      filter: { id: UNUSED.map(({ file }) => file) },
      handler(_code, id) {
        const unused = UNUSED.find(({ file }) => file.test(id))
        if (unused === undefined) return null
        left.delete(unused)
        return { code: unused.code, map: null }
      },
    },
    buildEnd(error) {
      if (error !== undefined || left.size === 0) return
      this.error('a library has changed its files; look at trim-libraries.ts again')
    },
  }
}
