import * as ace from 'ace-builds'
import {
  keyWordCompleter,
  setCompleters,
  snippetCompleter,
  textCompleter,
} from 'ace-builds/src-noconflict/ext-language_tools'
import { aceModuleUrls } from './ace-files.ts'

interface AceDom {
  createElement(tag: string, namespace?: string): Element
}

/**
 * Points Ace to our own files, and makes it keep the content security policy of the page: its style elements carry the
 * nonce, and its workers are files of this origin in place of blobs.
 */
export function prepareAce(): void {
  if (!ace.config.get('loadWorkerFromBlob')) return
  ace.config.set('loadWorkerFromBlob', false)
  for (const [id, url] of aceModuleUrls()) ace.config.setModuleUrl(id, new URL(url, document.baseURI).href)
  setCompleters([snippetCompleter, textCompleter, keyWordCompleter].map(withoutKinds))
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  const dom = ace.require('ace/lib/dom') as AceDom
  const create = dom.createElement
  dom.createElement = (tag, namespace) => {
    const element = create(tag, namespace)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}

/** Behind each suggestion Ace writes of what kind it is, in English only: "local", "keyword". */
function withoutKinds(completer: ace.Ace.Completer): ace.Ace.Completer {
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
