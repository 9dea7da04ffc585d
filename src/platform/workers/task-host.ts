import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../processes/processes.ts'
import { type FromTask, type ToTask, plain, type WorkerStart } from './worker-messages.ts'

/** Asks the main thread. Does not return if that fails, because the thread ends. */
export type Ask = (asked: unknown) => Promise<unknown>

/** What a task returns. `transfer` is memory that passes to the main thread without a copy. */
export interface TaskResult {
  readonly result: unknown
  readonly transfer: ArrayBuffer[]
}

/** Does the tasks of `TaskThreads` in this worker thread, one at a time. */
export function serveTasks(perform: (input: never, ask: Ask) => Promise<TaskResult>): void {
  const port = parentPort
  if (port === null) throw new Error('this file runs in a worker thread')
  lowerThreadPriority((workerData as Pick<WorkerStart, 'niceness'>).niceness)
  const post = (message: FromTask, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
  const questions = new Map<number, (answer: unknown) => void>()
  let lastQuestion = 0

  const start = async (task: number, input: unknown): Promise<void> => {
    const ask: Ask = async (asked) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const question = (lastQuestion += 1)
      questions.set(question, resolve)
      post({ task, type: 'question', question, asked })
      return await promise
    }
    try {
      const { result, transfer } = await perform(input as never, ask)
      post({ task, type: 'result', result }, transfer)
    } catch (error) {
      post({ task, type: 'error', error: plain(error) })
    }
    // What a stream still asked for is not answered any more.
    questions.clear()
  }

  port.on('message', (message: ToTask) => {
    if (message.type === 'task') {
      void start(message.task, message.input)
      return
    }
    questions.get(message.question)?.(message.answer)
    questions.delete(message.question)
  })
}
