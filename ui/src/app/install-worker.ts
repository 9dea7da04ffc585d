import { cacheNames, type FromWorker, type ToWorker } from '../worker/messages.ts'
import type { AppHistory } from '../lib/navigation/history.ts'
import type { Services } from './services.ts'

/**
 * Installs the service worker, which makes the page available offline. Without service worker support (or TLS, or the
 * script) everything else works the same.
 */
export async function installWorker({ config, session }: Services, history: AppHistory): Promise<void> {
  const { BaseURL, StaticURL } = config.get()
  if (!('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  const scope = new URL(`${BaseURL}/`, location.href).href
  const userId = () => {
    const state = session.state.get()
    return state.status === 'signed-in' ? state.user.id : undefined
  }
  const forget = (received: boolean): void => {
    if (workers.controller !== null) send(workers.controller, { type: 'forget', userId: userId(), received })
    else void forgetHere(scope, userId())
  }
  // Files received from another app wait for the sign-in; any other page discards them.
  forget(!location.search.includes('received'))
  session.state.subscribe(() => forget(session.state.get().status === 'signed-out'))
  // Only signed-in users need offline support.
  await new Promise<void>((resolve) => {
    const check = () => {
      if (userId() !== undefined) resolve()
    }
    session.state.subscribe(check)
    check()
  })
  workers.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'go') history.push(new URL(data.href).pathname)
  })
  const script = `${StaticURL}/sw.js`
  if (await isGone(script)) {
    await removeWorker(workers, scope)
    return
  }
  const registration = await workers.register(script, { scope, updateViaCache: 'none' }).catch(ignore)
  if (registration === undefined) return
  if (registration.waiting !== null) send(registration.waiting, { type: 'take-over' })
  const { active } = await workers.ready
  const urls = performance.getEntriesByType('resource').map(({ name }) => name)
  if (active !== null) send(active, { type: 'keep', urls })
}

/** Registering a removed script would bring back the worker that has just unregistered itself. */
async function isGone(script: string): Promise<boolean> {
  const answer = await fetch(script, { cache: 'no-store' }).catch(ignore)
  await answer?.body?.cancel()
  return answer?.status === 404 || answer?.status === 410
}

/** Needed if the worker is too broken to unregister itself. */
async function removeWorker(workers: ServiceWorkerContainer, scope: string): Promise<void> {
  await (await workers.getRegistration(scope))?.unregister()
  await forgetAll(cacheNames(scope).own)
}

async function forgetAll(prefix: string, except?: string): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== except) await caches.delete(name)
}

function send(worker: ServiceWorker, message: ToWorker): void {
  worker.postMessage(message)
}

/** This page has no active worker, but an earlier visit may have left caches. */
async function forgetHere(scope: string, userId: number | undefined): Promise<void> {
  const { listings } = cacheNames(scope)
  await forgetAll(listings, `${listings}${userId}`)
}

/** The script is missing or may not run: the page works without it. */
function ignore(): undefined {
  return undefined
}
