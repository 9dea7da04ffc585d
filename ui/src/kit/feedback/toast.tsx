import { createStore, type Store } from '../../lib/create-store.ts'
import type { IconName } from '../icon/icon.tsx'
import { requiredContext } from '../../lib/hooks.ts'

export interface Toast {
  tone: 'success' | 'error' | 'info'
  text: string
  /** More about it, which the user opens. */
  details?: { label: string; text: string } | undefined
  icon?: IconName | undefined
  /** Undo, retry, report … */
  action?: { label: string; keys?: string | undefined; run: () => void } | undefined
}

type ToastOptions = Partial<Pick<Toast, 'icon' | 'action' | 'details'>>

export interface Toasts {
  /** Toasts that the host has not shown yet. */
  readonly waiting: Store<readonly Toast[]>
  /** Disappears after 4 seconds unless hovered. */
  success(text: string, options?: ToastOptions): void
  /** Stays until it is closed. Screen readers read it at once. */
  error(text: string, options?: ToastOptions): void
  info(text: string, options?: ToastOptions): void
}

export function createToasts(): Toasts {
  const waiting = createStore<readonly Toast[]>([])
  const show =
    (tone: Toast['tone']) =>
    (text: string, options: ToastOptions = {}) =>
      waiting.set((toasts) => [...toasts, { tone, text, ...options }])
  return { waiting, success: show('success'), error: show('error'), info: show('info') }
}

export const [ToastProvider, useToasts] = requiredContext<Toasts>('Toast')
