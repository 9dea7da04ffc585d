import type { PlainError } from './plain-error.ts'

/** Messages to a thread that does one task at a time. `task` is the number of the task. */
export type ToTask =
  | { readonly task: number; readonly type: 'task'; readonly input: unknown }
  | { readonly task: number; readonly type: 'answer'; readonly question: number; readonly answer: unknown }

export type FromTask =
  | { readonly task: number; readonly type: 'question'; readonly question: number; readonly asked: unknown }
  | { readonly task: number; readonly type: 'result'; readonly result: unknown }
  | { readonly task: number; readonly type: 'error'; readonly error: PlainError }
