import { MAINTENANCE_HEADER, SHELL_HEADER } from '../../../src/domain/page-contract.ts'
import { createKeptListings, KEPT_AT, MAX_BYTES, readWithin } from './kept-listings.ts'
import { kindOf } from './kind-of.ts'
import { cacheNames, type Reachability, receivedPrefix, type ToWorker } from './messages.ts'
import { openNotice } from './open-notice.ts'
import { createReceivedFiles, filesIn } from './received.ts'
import type { WorkerFetchEvent, WorkerScope } from './worker-scope.ts'

/** Version and files of the first view, relative to the scope; inserted by the build. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] }

// The service worker caches the page and recent folders for offline use, and receives files shared by other apps.
const worker = globalThis as unknown as WorkerScope
const { scope } = worker.registration
const names = cacheNames(scope)
const assets = names.assets + SHELL.version
const pages = names.page
const listings = createKeptListings(caches, names.listings)
const received = createReceivedFiles(caches, names.received, receivedPrefix(scope))
const keptAt = createKeptSince(() => void notifyPages())

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, scope)
  if (kind === 'page') event.respondWith(page(event))
  if (kind === 'asset') event.respondWith(asset(event.request))
  if (kind === 'listing') event.respondWith(listing(event))
  if (kind === 'receive') event.respondWith(receive(event.request))
})
worker.addEventListener('message', (event) => {
  const message = event.data as ToWorker
  if (message.type === 'reach') event.source?.postMessage(reach())
  if (message.type === 'forget') event.waitUntil(forget(message))
  if (message.type === 'keep') event.waitUntil(keepAssets(message.urls))
  if (message.type === 'take-over') event.waitUntil(takeOver())
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(event.notification.data, worker.clients, scope))
})

async function install(): Promise<void> {
  await keepAssets(SHELL.files.map((file) => scope + file))
  await keepPage(await fetch(`${scope}login`, { cache: 'no-store' }))
}

async function activate(): Promise<void> {
  await worker.registration.navigationPreload.enable()
  const old = (await caches.keys()).filter((name) => name.startsWith(names.assets) && name !== assets)
  await Promise.all(old.map(async (name) => await caches.delete(name)))
  await worker.clients.claim()
}

/** Network first, so a new version is used at once. */
async function page(event: WorkerFetchEvent): Promise<Response> {
  event.waitUntil(leaveIfUnwanted())
  const answer = await event.preloadResponse.then((early) => early ?? fetch(event.request)).catch(ignore)
  if (answer !== undefined && !isUnreachable(answer)) {
    event.waitUntil(keepPage(answer.clone()))
    return answer
  }
  return (await caches.match(scope, { cacheName: pages })) ?? answer ?? Response.error()
}

async function keepPage(answer: Response): Promise<void> {
  // Neither an uploaded file nor the notice of a maintenance that may be over must be stored as the page.
  const isOurs = answer.ok && !answer.redirected && answer.headers.has(SHELL_HEADER) && !isMaintenance(answer)
  if (isOurs) await (await caches.open(pages)).put(scope, answer)
}

async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, { ignoreVary: true })
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok && answer.type === 'basic') await (await caches.open(assets)).put(request.url, answer.clone())
  return answer
}

/** Stores files of the page. Those of the previous version stay, since an open window may need them. */
async function keepAssets(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(assets)
  for (const url of urls) {
    if (kindOf({ method: 'GET', mode: 'cors', url, headers: new Headers() }, scope) !== 'asset') continue
    if ((await cache.match(url, { ignoreVary: true })) === undefined) await cache.add(url)
  }
}

async function listing(event: WorkerFetchEvent): Promise<Response> {
  const { request } = event
  let failure: unknown
  const answer = await fetch(request).catch((error: unknown) => void (failure = error))
  const isAway = answer !== undefined && (await isOfFolderAway(answer))
  if (answer !== undefined && (isAway || !isUnreachable(answer))) {
    keptAt.set(null)
    if (answer.ok) return await keptListing(event, answer)
    if (isAway) return answer
    if (!isMaintenance(answer)) event.waitUntil(listings.drop(request))
    return answer
  }
  const kept = request.signal.aborted ? undefined : await listings.find(request)
  if (kept !== undefined) keptAt.set(Number(kept.headers.get(KEPT_AT)))
  const best = kept ?? answer
  if (best === undefined) throw failure
  return best
}

/** Reads it before the page does: a cloned body reaches the page only piece by piece, which takes longer than the network. */
async function keptListing(event: WorkerFetchEvent, answer: Response): Promise<Response> {
  const { status, statusText } = answer
  const headers = new Headers(answer.headers)
  // What is read is decoded.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  const { parts, rest } = await readWithin(answer.body, MAX_BYTES)
  if (rest !== undefined) return new Response(joined(parts, rest), { status, statusText, headers })
  const whole = new Blob(parts)
  event.waitUntil(listings.keep(event.request, whole))
  return new Response(whole, { status, statusText, headers })
}

function joined(
  parts: readonly Uint8Array<ArrayBuffer>[],
  rest: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const first = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: (controller) => parts.forEach((part) => controller.enqueue(part)),
  })
  return rest.pipeThrough(first)
}

/** Stores shared files; the page asks for their folder, after signing in if necessary. */
async function receive(request: Request): Promise<Response> {
  await received.put(filesIn(await request.formData(), new Date()))
  return Response.redirect(`${scope}files/?received`, 303)
}

async function forget(message: Extract<ToWorker, { type: 'forget' }>): Promise<void> {
  await listings.forget(message.userId)
  if (message.received) await received.clear()
}

async function takeOver(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.length <= 1) await worker.skipWaiting()
}

/** Unregisters and deletes everything when the server no longer has this script. */
async function leaveIfUnwanted(): Promise<void> {
  const answer = await fetch(worker.location.href, { cache: 'no-store' }).catch(ignore)
  if (answer?.status !== 404 && answer?.status !== 410) return
  await worker.registration.unregister()
  const own = (await caches.keys()).filter((name) => name.startsWith(names.own))
  await Promise.all(own.map(async (name) => await caches.delete(name)))
}

/** Status codes of a proxy whose server is down. */
function isUnreachable(answer: Response): boolean {
  return answer.status >= 502 && answer.status <= 504 && !isMaintenance(answer)
}

/** Said by the server itself, of the disk or bucket of a folder. */
async function isOfFolderAway(answer: Response): Promise<boolean> {
  if (answer.status !== 503 || answer.headers.get('Content-Type')?.startsWith('application/json') !== true) return false
  const { error } = (await answer.clone().json()) as { readonly error?: { readonly code?: string } }
  return error?.code === 'UNAVAILABLE'
}

function isMaintenance({ headers }: Response): boolean {
  return headers.has(MAINTENANCE_HEADER)
}

function reach(): Reachability {
  return { type: 'reach', keptAt: keptAt.get() }
}

async function notifyPages(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: false })
  for (const window of windows) window.postMessage(reach())
}

function ignore(): undefined {
  return undefined
}

/** When the listing shown was stored, in milliseconds; `null` while the server answers. */
function createKeptSince(onChange: (next: number | null) => void) {
  let current: number | null = null
  return {
    get: () => current,
    set(next: number | null) {
      if (next === current) return
      current = next
      onChange(next)
    },
  }
}
