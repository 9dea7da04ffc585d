interface ApiErrorFacts {
  status: number
  message: string
  code?: string | undefined
  requestId?: string | undefined
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined
}

/** An answer that is not a success, or none at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor({ status, message, code, requestId, retryAfter }: ApiErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  static noConnection(cause: unknown): ApiError {
    return new ApiError({ status: 0, message: '000 No connection' }, { cause })
  }

  /** Reads the error out of an answer: JSON with `code` and `message`, or plain text. */
  static async from(response: Response): Promise<ApiError> {
    const text = (await response.text()).trim()
    const details = parseDetails(text)
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
    return new ApiError({
      status: response.status,
      message: details.message ?? (text || `${response.status} ${response.statusText}`),
      code: details.code,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
    })
  }
}

function parseDetails(text: string): { message?: string; code?: string } {
  if (!text.startsWith('{')) return {}
  try {
    return JSON.parse(text) as { message?: string; code?: string }
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
