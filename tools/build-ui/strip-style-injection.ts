import type { Plugin } from 'vite'

const INJECTION = '__insertCSS("'

/**
 * Removes the `<style>` element that sonner adds while it loads: the page's content security policy forbids inline
 * styles. The same rules come from the style sheet that the kit imports.
 */
export function stripStyleInjection(): Plugin {
  return {
    name: 'filemgr:strip-style-injection',
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs/ },
      handler(code) {
        const start = code.indexOf(INJECTION)
        const end = code.indexOf('");\n', start)
        if (start === -1 || end === -1)
          this.error('sonner no longer injects its styles this way; update or remove this plugin')
        return { code: code.slice(0, start) + code.slice(end + 3), map: null }
      },
    },
  }
}
