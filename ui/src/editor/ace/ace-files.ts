/** What Ace fetches when it needs it, from our own server: colours, languages, checkers and snippets. */
const FILES = import.meta.glob<string>(
  '../../../../node_modules/ace-builds/src-min-noconflict/{mode-*,theme-*,worker-*,snippets/*}.js',
  { query: '?url', import: 'default', eager: true },
)

const IDS: Readonly<Record<string, (name: string) => string>> = {
  'mode-': (name) => `ace/mode/${name}`,
  'theme-': (name) => `ace/theme/${name}`,
  'worker-': (name) => `ace/mode/${name}_worker`,
  'snippets/': (name) => `ace/snippets/${name}`,
}

/** Where each lazy module of Ace is: "ace/mode/json" and its address. */
export function aceModuleUrls(): readonly (readonly [id: string, url: string])[] {
  return Object.entries(FILES).flatMap(([file, url]) => {
    const [, kind = '', name = ''] = /(mode-|theme-|worker-|snippets\/)([^/]+)\.js$/.exec(file) ?? []
    const idOf = IDS[kind]
    return idOf === undefined ? [] : [[idOf(name), url] as const]
  })
}
