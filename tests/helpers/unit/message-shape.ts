import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** A branch of a plural or select, or the whole message. */
export interface Branch {
  /** "one", "few", "=1"; empty for the whole message. */
  readonly name: string
  /** Whether it contains "#", or a placeholder for the number itself. */
  readonly saysNumber: boolean
}

export interface Choice {
  readonly argument: string
  readonly type: 'plural' | 'selectordinal' | 'select'
  readonly branches: readonly Branch[]
}

/** The parts of a message that must be the same in every language. */
export interface MessageShape {
  /** Names of all values; "argument:type" for formatted ones. */
  readonly values: readonly string[]
  readonly choices: readonly Choice[]
  /** Tags such as "<0>" and "</0>", sorted. */
  readonly tags: readonly string[]
  /** The text between the values. */
  readonly words: readonly string[]
}

type Token = string | readonly [string, string?, Readonly<Record<string, readonly Token[] | number>>?]

/** @throws Error if the message is not ICU MessageFormat */
export function shapeOf(message: string): MessageShape {
  const values = new Set<string>()
  const choices: Choice[] = []
  const words: string[] = []

  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (typeof token === 'string') {
        if (token !== '#') words.push(token)
        continue
      }
      const [argument, type, branches] = token
      values.add(argument)
      if (type !== 'plural' && type !== 'select' && type !== 'selectordinal') {
        if (type !== undefined) values.add(`${argument}:${type}`)
        continue
      }
      const lists = Object.entries(branches ?? {}).filter(([name]) => name !== 'offset') as [string, Token[]][]
      choices.push({ argument, type, branches: lists.map(([name, list]) => branchOf(name, list, argument)) })
      for (const [, list] of lists) visit(list)
    }
  }
  visit(compileMessageOrThrow(message) as readonly Token[])
  const tags = [...message.matchAll(/<\/?\w+\/?>/g)].map(([tag]) => tag)
  return { values: [...values].toSorted(), choices, tags: tags.toSorted(), words }
}

function branchOf(name: string, tokens: readonly Token[], argument: string): Branch {
  return { name: /^\d+$/.test(name) ? `=${name}` : name, saysNumber: tokens.some((token) => isNumber(token, argument)) }
}

/** The number in a branch, or in branches of nested choices. */
function isNumber(token: Token, argument: string): boolean {
  if (typeof token === 'string') return token === '#'
  const [name, , branches] = token
  if (branches === undefined) return name === argument
  const lists = Object.values(branches).filter((list) => typeof list === 'object')
  return lists.some((list) => list.some((inner) => isNumber(inner, argument)))
}
