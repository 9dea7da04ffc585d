import { createContext, useContext } from 'react'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { IconName } from '../icon/icon.tsx'

export interface Toast {
  tone: 'success' | 'error' | 'info'
  text: string
  icon?: IconName | undefined
  /** Undo, retry, report … */
  action?: { label: string; keys?: string | undefined; run: () => void } | undefined
}

type ToastOptions = Partial<Pick<Toast, 'icon' | 'action'>>

export interface Toasts {
  /** Asked for, but not yet drawn; the host takes them. */
  readonly waiting: Store<readonly Toast[]>
  /** Goes after 4 s; hovering holds it. */
  success(text: string, options?: ToastOptions): void
  /** Stays until it is closed, and is read out at once. */
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

const ToastContext = createContext<Toasts | undefined>(undefined)

export const ToastProvider = ToastContext.Provider

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext)
  if (toasts === undefined) throw new Error('ToastProvider is missing above this component')
  return toasts
}
