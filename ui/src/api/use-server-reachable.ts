import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { FromWorker, ToWorker } from '../worker/messages.ts'

export interface Reachability {
  /** Whether the shown data comes from the server. */
  readonly online: boolean
  /** Whether the browser has a network connection. */
  readonly hasNetwork: boolean
  /** When the shown offline copy was made, in milliseconds; `null` if unknown. */
  readonly keptAt: number | null
}

/** Whether the server can be reached, according to the network, the live connection and the service worker. */
export function useServerReachable(): Reachability {
  const hasNetwork = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  const hasServer = useSyncExternalStore(watchServer, () => onlineManager.isOnline())
  const [keptAt, setKeptAt] = useState<number | null>(null)
  useEffect(() => {
    // Undefined without TLS, whatever the types say.
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
    const receive = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'reach') setKeptAt(data.keptAt)
    }
    workers?.addEventListener('message', receive)
    workers?.startMessages()
    workers?.controller?.postMessage({ type: 'reach' } satisfies ToWorker)
    return () => workers?.removeEventListener('message', receive)
  }, [])
  return { online: hasNetwork && hasServer && keptAt === null, hasNetwork, keptAt }
}

function watchServer(listener: () => void): () => void {
  return onlineManager.subscribe(listener)
}

function watchNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
