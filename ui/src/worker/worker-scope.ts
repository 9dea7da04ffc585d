/** The part of ServiceWorkerGlobalScope used here, which TypeScript's DOM library does not declare. */
export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly location: Location
  readonly clients: WorkerClients
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}

export interface WorkerClients {
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WorkerClient[]>
  claim(): Promise<void>
  openWindow(address: string): Promise<unknown>
}

interface WorkerClient {
  readonly url: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

export interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void
}

export interface WorkerFetchEvent extends WorkerEvent {
  readonly request: Request
  /** The response that the browser preloaded while the worker started; for pages only. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

interface WorkerMessageEvent extends WorkerEvent {
  readonly data: unknown
  readonly source: WorkerClient | null
}

interface WorkerNoticeEvent extends WorkerEvent {
  readonly notification: Pick<Notification, 'close' | 'data'>
}

interface WorkerEvents {
  notificationclick: WorkerNoticeEvent
  install: WorkerEvent
  activate: WorkerEvent
  fetch: WorkerFetchEvent
  message: WorkerMessageEvent
}
