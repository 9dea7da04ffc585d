/** A request or response header. */
export interface HeaderExample {
  readonly description: string
  readonly example: string
  readonly required?: true
}

export const TIME_HELD: HeaderExample = {
  description: '`accepted` if the file has the modification time that was sent: some disks cannot hold every time',
  example: 'accepted',
}

export const LINKS_PARTED: HeaderExample = {
  description: 'Present if the replaced file had other hard links, which keep its old content',
  example: '1',
}

export interface ReplyExample {
  /** What the status means here, if that differs from the general meaning. */
  readonly description?: string
  /** Default: JSON if the reply has a schema, otherwise plain text. */
  readonly mediaType?: string
  /** Other possible media types. */
  readonly otherTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, HeaderExample>>
  /** The body. By default, a plain text reply contains only its status. */
  readonly value?: unknown
}

/** A typical call of an operation. A test validates it against the schemas. */
export interface OperationExample {
  /** Details that do not fit into the summary. */
  readonly description?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | boolean>>
  readonly headers?: Readonly<Record<string, HeaderExample>>
  readonly body?: unknown
  /** The media type of a binary body, if not application/octet-stream. */
  readonly bodyType?: string
  readonly replies?: Readonly<Record<number, ReplyExample>>
}

/** By operation id. */
export type Examples = Readonly<Record<string, OperationExample>>
