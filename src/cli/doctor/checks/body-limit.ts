import { formatByteSize } from '../../../domain/units.ts'
import { type Check, fault, type Scene, skip } from '../check.ts'
import { postZeros } from '../post-zeros.ts'
const MEBIBYTE = 1024 * 1024
/** Larger parts of uploads are chosen by few, and would take long to send. */
const LARGEST = 64 * MEBIBYTE

/** Sends what the page sends in one request, without a token: filemgr says 401, a proxy with a lower limit says 413. */
export const bodyLimitCheck: Check = {
  name: 'body-limit',
  title: 'Size of the requests that a proxy in front lets through',
  async run({ url, isPublic, store }: Scene) {
    if (!isPublic || url === undefined) return skip('no proxy is known of; with --url ADDRESS one is asked')
    const size = Math.min(store.document?.settings.tus.chunkSize ?? 10 * MEBIBYTE, LARGEST)
    const answer = await postZeros(`${url}api/resources/filemgr-doctor`, size)
    if (answer !== 413 && answer !== 'cut') return []
    const done = answer === 'cut' ? 'cuts off' : 'refuses'
    const fix =
      'raise the limit of the proxy (nginx: client_max_body_size 0), or filemgr settings set tus.chunkSize=1MB'
    return [fault(`the proxy in front ${done} requests of ${formatByteSize(size)}, so uploads fail`, fix)]
  },
}
