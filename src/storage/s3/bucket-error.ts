import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'

/** What the SDK throws: the error code of the server as `name`, that of the system as `code`, and the status of the response. */
interface SdkError {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Seconds. */
export const RETRY_AFTER = 5

const CREDENTIALS = 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_PROFILE'

/** Configuration errors, which only the operator can correct. */
const SET_UP: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: `the S3 server does not know the access key: ${CREDENTIALS}`,
  XAdminUserNotFound: `the S3 server does not know the access key: ${CREDENTIALS}`,
  SignatureDoesNotMatch: `the S3 server does not accept the secret key: ${CREDENTIALS}`,
  ExpiredToken: `the credentials for the S3 server have expired: ${CREDENTIALS}`,
  InvalidToken: `the S3 server does not accept the session token: ${CREDENTIALS}`,
  CredentialsProviderError: `no credentials for the S3 server were found: ${CREDENTIALS}`,
  RequestTimeTooSkewed: 'the clocks of this machine and of the S3 server differ: correct the wrong one',
  RequestExpired: 'the clocks of this machine and of the S3 server differ: correct the wrong one',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
}

const FULL = new Set(['EntityTooLarge', 'QuotaExceeded', 'XAmzQuotaExceeded', 'InsufficientStorage', 'StorageFull'])

/** Translates an error of the SDK. Uses only messages of our own, which never contain credentials. */
export function bucketError(error: unknown, bucket: string): FilemgrError {
  if (isFilemgrError(error)) return error
  const sdkError = error as SdkError
  const { name = '', message = '' } = sdkError
  const cause = { cause: error }
  const known = SET_UP[name] ?? (message.startsWith('Region is missing') ? 'set AWS_REGION' : undefined)
  if (known !== undefined) return new FilemgrError('UNAVAILABLE', known, {}, cause)
  if (name === 'NoSuchBucket') {
    const advice = 'create it, or name another one with --root'
    return new FilemgrError('UNAVAILABLE', `the bucket ${bucket} does not exist: ${advice}`, {}, cause)
  }
  if (FULL.has(name)) return new FilemgrError('NO_SPACE', 'the bucket has no room for this', {}, cause)
  if (name === 'KeyTooLongError') return new FilemgrError('INVALID_INPUT', 'the path is too long', {}, cause)
  return byStatus(sdkError, bucket)
}

function byStatus(error: SdkError, bucket: string): FilemgrError {
  const cause = { cause: error }
  switch (error.$metadata?.httpStatusCode) {
    case 403:
      return new FilemgrError('FORBIDDEN', `the bucket ${bucket} does not permit this to filemgr`, {}, cause)
    case 404:
      return new FilemgrError('NOT_FOUND', 'there is nothing at this path', {}, cause)
    case 409:
    case 412:
      return new FilemgrError('PRECONDITION_FAILED', 'the file was changed meanwhile', {}, cause)
    case 416:
      return new FilemgrError('INVALID_INPUT', 'the file is shorter than that', {}, cause)
    case 501:
      return new FilemgrError('NOT_IMPLEMENTED', 'the S3 server does not support this kind of request', {}, cause)
    case 400:
    case 405: {
      const refusal = `the S3 server refused a request (${error.name ?? 'unknown error'})`
      return new FilemgrError('INTERNAL', refusal, {}, cause)
    }
    default: {
      const away = `the S3 server does not answer (${error.code ?? error.name ?? 'unknown error'}): try again later`
      return new FilemgrError('UNAVAILABLE', away, { retryAfter: RETRY_AFTER }, cause)
    }
  }
}
