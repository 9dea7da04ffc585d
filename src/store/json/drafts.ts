/**
 * Copies of a document, to be changed and taken back. A field is copied when a change first asks for it: most changes are about
 * one, and to copy and check ten thousand links because a setting changes would hold up everything else.
 */
export interface Drafts<D extends object> {
  /** A copy that may be changed in any way. */
  draftOf(document: Readonly<D>): D
  /** The draft as a reader of its JSON sees it. */
  settle(draft: D): Settled<D>
}

interface Settled<D> {
  readonly document: D
  /** Fields that no change has asked for: they are those of the original document. */
  readonly untouched: ReadonlySet<string>
  /** Characters of the others. */
  readonly size: number
}

type Fields = Record<string, unknown>

export function createDrafts<D extends object>(): Drafts<D> {
  /** Of fields of documents, which are immutable. */
  const texts = new WeakMap<object, string>()
  /** By their drafts. */
  const documents = new WeakMap<object, Readonly<D>>()

  const textOf = (field: unknown): string => {
    if (typeof field !== 'object' || field === null) return JSON.stringify(field)
    const text = texts.get(field) ?? JSON.stringify(field)
    texts.set(field, text)
    return text
  }

  return {
    draftOf(document) {
      const draft = {}
      for (const [key, field] of Object.entries(document)) copyWhenAsked(draft, key, () => JSON.parse(textOf(field)))
      documents.set(draft, document)
      return draft as D
    },
    settle(draft) {
      const original = (documents.get(draft) ?? {}) as Fields
      const untouched = new Set(Object.keys(draft).filter((key) => isUntouched(draft, key)))
      const document: Fields = {}
      let size = 0
      for (const key of Object.keys(draft)) {
        if (untouched.has(key)) {
          document[key] = original[key]
          continue
        }
        const text = JSON.stringify((draft as Fields)[key]) as string | undefined
        if (text === undefined) continue
        const field: unknown = JSON.parse(text)
        if (typeof field === 'object' && field !== null) texts.set(field, text)
        document[key] = field
        size += text.length
      }
      return { document: document as D, untouched, size }
    },
  }
}

function copyWhenAsked(draft: object, key: string, copy: () => unknown): void {
  const hold = (value: unknown) =>
    Object.defineProperty(draft, key, { value, writable: true, enumerable: true, configurable: true })
  Object.defineProperty(draft, key, {
    get: () => {
      const value = copy()
      hold(value)
      return value
    },
    set: hold,
    enumerable: true,
    configurable: true,
  })
}

function isUntouched(draft: object, key: string): boolean {
  return Object.getOwnPropertyDescriptor(draft, key)?.get !== undefined
}
