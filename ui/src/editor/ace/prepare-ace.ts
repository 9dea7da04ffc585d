import * as ace from 'ace-builds'
import {
  keyWordCompleter,
  setCompleters,
  snippetCompleter,
  textCompleter,
} from 'ace-builds/src-noconflict/ext-language_tools'

interface AceDom {
  createElement(tag: string, namespace?: string): Element
}

/**
 * Points Ace to our own files and adapts it to the content security policy of the page: style elements get the nonce,
 * and workers are loaded as files of this origin instead of blobs.
 */
export function prepareAce(): void {
  if (!ace.config.get('loadWorkerFromBlob')) return
  ace.config.set('loadWorkerFromBlob', false)
  for (const [id, url] of aceModuleUrls()) ace.config.setModuleUrl(id, new URL(url, document.baseURI).href)
  setCompleters([snippetCompleter, textCompleter, keyWordCompleter].map(withoutKind))
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const dom = ace.require('ace/lib/dom') as AceDom
  const create = dom.createElement
  dom.createElement = (tag, namespace) => {
    const element = create(tag, namespace)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}

/** Removes the kind after each suggestion, such as "local" or "keyword", which Ace has in English only. */
function withoutKind(completer: ace.Ace.Completer): ace.Ace.Completer {
  return {
    ...completer,
    getCompletions: (editor, session, position, prefix, callback) =>
      completer.getCompletions(editor, session, position, prefix, (error, found) =>
        callback(
          error,
          found.map((suggestion) => ({ ...suggestion, meta: '' })),
        ),
      ),
  }
}

/** Ace's themes, languages, checkers and snippets, loaded on demand from our own server. */
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

/** The id of each lazy module of Ace, such as "ace/mode/json", and its address. */
function aceModuleUrls(): readonly (readonly [id: string, url: string])[] {
  return Object.entries(FILES).flatMap(([file, url]) => {
    const [, kind = '', name = ''] = /(mode-|theme-|worker-|snippets\/)([^/]+)\.js$/.exec(file) ?? []
    const idOf = IDS[kind]
    return idOf === undefined ? [] : [[idOf(name), url] as const]
  })
}
