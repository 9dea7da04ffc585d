/** The documentation by its path in the repository, such as "docs/README.md". The script chunk of the help contains all of it. */
const TEXTS = new Map(
  Object.entries(
    import.meta.glob<string>(
      [
        '../../../../docs/README.md',
        '../../../../docs/guide/*.md',
        '../../../../docs/deploy/*',
        '../../../../docs/deploy/cluster/*',
        '../../../../docs/deploy/sign-in/*',
        '../../../../docs/reference/*.md',
        '../../../../src/README.md',
        '../../../../{CONTRIBUTING,SECURITY}.md',
      ],
      { query: '?raw', import: 'default', eager: true },
    ),
  ).map(([path, text]) => [path.replace(/^(\.\.\/)+/, ''), text]),
)

/** The list of all pages. */
export const CONTENTS = 'docs/README.md'
const HOME = '/help'
const OPENAPI = 'docs/reference/openapi.json'

/** Paths of all pages. */
export function helpPages(): string[] {
  return [...TEXTS.keys()]
}

/** The page at an address of the app; `undefined` if there is none. */
export function helpPageAt(pathname: string): string | undefined {
  const page = pathname.slice(HOME.length).replaceAll(/^\/|\/$/g, '') || CONTENTS
  return TEXTS.has(page) ? page : undefined
}

/** A page as Markdown. Configurations to copy are shown as they are. */
export function helpText(page: string): string {
  const text = TEXTS.get(page) ?? ''
  return page.endsWith('.md') ? text : `# ${page.split('/').at(-1) ?? page}\n\n\`\`\`\`\n${text.trimEnd()}\n\`\`\`\``
}

/** The address in the app that a link on a page leads to; null for files that are not in the documentation. */
export function helpHref(page: string, link: string): string | null {
  const { pathname, hash } = new URL(link, `http://localhost/${page}`)
  const path = pathname.slice(1)
  if (path === OPENAPI) return '/api/openapi.json'
  if (!TEXTS.has(path)) return null
  return `${path === CONTENTS ? HOME : `${HOME}/${path}`}${hash}`
}

interface HelpGroup {
  readonly title: string
  readonly pages: readonly { readonly title: string; readonly href: string }[]
}

/** The groups of the list, with titles and addresses of their pages. */
export function helpGroups(): HelpGroup[] {
  return helpText(CONTENTS)
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      pages: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, title = '', link = '']) => ({
        title,
        href: helpHref(CONTENTS, link) ?? HOME,
      })),
    }))
}
