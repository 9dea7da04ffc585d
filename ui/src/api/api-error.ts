interface ApiErrorFacts {
  status: number
  message: string
  code?: string | undefined
  /** Which part of what was sent is meant, such as "username". */
  field?: string | undefined
  requestId?: string | undefined
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined
}

/** An answer that is not a success, or none at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor({ status, message, code, field, requestId, retryAfter }: ApiErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
    this.field = field
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  static noConnection(cause: unknown): ApiError {
    return new ApiError({ status: 0, message: '000 No connection' }, { cause })
  }

  /** Reads the error out of an answer: JSON as the server writes it, or plain text. */
  static async from(response: Response): Promise<ApiError> {
    const text = (await response.text()).trim()
    const details = parseDetails(text)
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
    return new ApiError({
      status: response.status,
      message: details.message ?? (text || `${response.status} ${response.statusText}`),
      code: details.code,
      field: details.details?.field,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
    })
  }
}

/** For what a request failed with: without an answer there is no connection, anything else stays what it is. */
export function noConnection(error: unknown): never {
  if (error instanceof TypeError) throw ApiError.noConnection(error)
  throw error
}

interface Told {
  readonly code?: string
  readonly message?: string
  readonly details?: { readonly field?: string }
}

function parseDetails(text: string): Told {
  if (!text.startsWith('{')) return {}
  try {
    return (JSON.parse(text) as { error?: Told }).error ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
