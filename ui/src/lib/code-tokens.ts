import * as ace from 'ace-builds'
import { getModeForPath } from 'ace-builds/src-noconflict/ext-modelist'

/** Part of a line of code. `kind` is undefined for plain text. */
export interface CodeToken {
  readonly kind: CodeKind | undefined
  readonly text: string
}

export type CodeKind = 'comment' | 'string' | 'keyword' | 'constant' | 'name' | 'tag'

/** Gives the parts of a line, by its index. */
export type TokensOf = (index: number) => readonly CodeToken[]

interface Mode {
  readonly Mode: new () => { getTokenizer(): Tokenizer }
}

type State = string | string[]

interface Tokenizer {
  getLineTokens(
    line: string,
    before: State,
  ): { readonly tokens: readonly { readonly type: string; readonly value: string }[]; readonly state: State }
}

/** The languages of the editor, loaded on demand from our own server. */
const FILES = import.meta.glob<string>('../../../node_modules/ace-builds/src-min-noconflict/mode-*.js', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Kinds by the beginning of what the editor calls them, the more special first. */
const KINDS: readonly (readonly [beginning: string, kind: CodeKind])[] = [
  ['comment', 'comment'],
  ['string', 'string'],
  ['constant', 'constant'],
  ['keyword.operator', 'name'],
  ['keyword', 'keyword'],
  ['storage', 'keyword'],
  ['variable.language', 'keyword'],
  ['entity.other', 'name'],
  ['entity', 'tag'],
  ['meta.tag', 'tag'],
  ['support', 'name'],
  ['variable', 'name'],
]

/**
 * The colours of a text, computed line by line when they are asked for.
 *
 * @param name of the file, which tells its language
 * @returns undefined for plain text
 */
export async function readCode(name: string, lineAt: (index: number) => string): Promise<TokensOf | undefined> {
  const { mode } = getModeForPath(name)
  const url = Object.entries(FILES).find(([file]) => file.endsWith(`/mode-${mode.replace('ace/mode/', '')}.js`))?.[1]
  if (mode === 'ace/mode/text' || url === undefined) return undefined
  ace.config.setModuleUrl(mode, new URL(url, document.baseURI).href)
  const { Mode } = await new Promise<Mode>((resolve) => ace.config.loadModule(['mode', mode], resolve))
  const tokenizer = new Mode().getTokenizer()
  const known: CodeToken[][] = []
  let state: State = 'start'
  return (index) => {
    while (known.length <= index) {
      const line = tokenizer.getLineTokens(lineAt(known.length), state)
      state = line.state
      known.push(line.tokens.map(({ type, value }) => ({ kind: kindOf(type), text: value })))
    }
    return known[index] ?? []
  }
}

function kindOf(type: string): CodeKind | undefined {
  return KINDS.find(([beginning]) => type.startsWith(beginning))?.[1]
}
