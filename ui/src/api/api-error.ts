interface ApiErrorFacts {
  status: number
  message: string
  code?: string | undefined
  /** The rejected part of the request, such as "username". */
  field?: string | undefined
  /** Minimum length of that part in bytes of UTF-8, if it is too short. */
  minimum?: number | undefined
  /** More about the code: "disk" if the disk refuses what the user may do. */
  reason?: string | undefined
  requestId?: string | undefined
  /** Seconds to wait before retrying. */
  retryAfter?: number | undefined
  step?: SecondStep | undefined
}

/** What a sign-in says that needs a second step. */
export interface SecondStep {
  readonly challenge: string
  /** What it may be answered with. */
  readonly ways: readonly string[]
  readonly username: string
  /** For how many days this device can be trusted. */
  readonly trustDays?: number
}

/** An unsuccessful response, or none at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly minimum: number | undefined
  readonly reason: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly step: SecondStep | undefined

  constructor(
    { status, message, code, field, minimum, reason, requestId, retryAfter, step }: ApiErrorFacts,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.field = field
    this.minimum = minimum
    this.reason = reason
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.step = step
  }

  static noConnection(cause: unknown): ApiError {
    return new ApiError({ status: 0, message: '000 No connection' }, { cause })
  }

  /** Reads the error from a response: JSON from the server, or plain text, for example from a proxy. */
  static async from(response: Response): Promise<ApiError> {
    const text = (await response.text()).trim()
    const details = parseDetails(text)
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
    const more = details.details
    return new ApiError({
      ...more,
      step: more?.challenge === undefined ? undefined : more,
      status: response.status,
      message: details.message ?? (text || `${response.status} ${response.statusText}`),
      code: details.code,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
    })
  }
}

/** Turns a failed fetch into an `ApiError` with status 0; rethrows anything else. */
export function noConnection(error: unknown): never {
  if (error instanceof TypeError) throw ApiError.noConnection(error)
  throw error
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly details?: Pick<ApiErrorFacts, 'field' | 'minimum' | 'reason'> & (SecondStep | { readonly challenge?: never })
}

function parseDetails(text: string): ErrorBody {
  if (!text.startsWith('{')) return {}
  try {
    return (JSON.parse(text) as { error?: ErrorBody }).error ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** For the removal of something that is already gone: that is the goal. Rethrows anything else. */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

/** True if there was no response, or a proxy got none from the server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}
