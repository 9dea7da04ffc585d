import type { Store } from '../../lib/create-store.ts'
import type { UploadQueue, UploadSnapshot } from './upload-queue.ts'

const FIRST_LOOK = 1000
const LONGEST = 10_000

interface ConnectionDeps {
  readonly queue: Pick<UploadQueue, 'busy' | 'hold' | 'release'>
  readonly state: Store<UploadSnapshot>
  readonly isReachable: () => Promise<boolean>
}

/** Holds uploads while the network is gone, and lets them go on as soon as the server answers. Returns how to stop. */
export function watchConnection({ queue, state, isReachable }: ConnectionDeps): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = FIRST_LOOK
  const isHeld = (): boolean => state.get().hold === 'offline'

  const look = async (): Promise<void> => {
    if (navigator.onLine && (await isReachable())) {
      pause = FIRST_LOOK
      queue.release('offline')
    } else {
      pause = Math.min(pause * 2, LONGEST)
      lookLater()
    }
  }
  const lookLater = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isHeld()) timer = setTimeout(() => void look(), pause)
  }
  const wentOff = (): void => {
    if (queue.busy) queue.hold('offline')
  }
  const cameBack = (): void => {
    clearTimeout(timer)
    if (isHeld()) void look()
  }
  const stopListening = state.subscribe(() => {
    if (isHeld() && timer === undefined) lookLater()
  })
  addEventListener('offline', wentOff)
  addEventListener('online', cameBack)
  return () => {
    clearTimeout(timer)
    stopListening()
    removeEventListener('offline', wentOff)
    removeEventListener('online', cameBack)
  }
}
