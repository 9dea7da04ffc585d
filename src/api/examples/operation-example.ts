/** A header that a call takes or gives. */
export interface HeaderExample {
  readonly description: string
  readonly example: string
  readonly required?: true
}

export const LINKS_PARTED: HeaderExample = {
  description: 'only where the file that was replaced has other names (hard links), which keep its old content',
  example: '1',
}

export interface ReplyExample {
  /** What the status means here, where that is not what it means everywhere. */
  readonly description?: string
  /** JSON where the reply has a schema, plain text where not. */
  readonly mediaType?: string
  /** What it may be besides. */
  readonly otherTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, HeaderExample>>
  /** The body. Plain answers say no more than their status unless given. */
  readonly value?: unknown
}

/** One call of an operation as it is usually made. A test holds it against the schemas. */
export interface OperationExample {
  /** What the summary has no room for. */
  readonly description?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | boolean>>
  readonly headers?: Readonly<Record<string, HeaderExample>>
  readonly body?: unknown
  /** Of a body that is bytes, where it is not application/octet-stream. */
  readonly bodyType?: string
  readonly replies?: Readonly<Record<number, ReplyExample>>
}

/** By the id of the operation. */
export type Examples = Readonly<Record<string, OperationExample>>
