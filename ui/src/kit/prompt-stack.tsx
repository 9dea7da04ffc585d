import { type ComponentType, createContext, lazy, Suspense, useContext } from 'react'
import { createStore, type Store, useStore } from '../lib/create-store.ts'

/** What every prompt gets besides its own props: the way to answer. Without a result the question was dismissed. */
export interface PromptProps<Result> {
  close: (result?: Result) => void
}

type AnyPromptProps = PromptProps<never>

type ResultOf<Props> = Props extends { close: (result?: infer Result) => void } ? Result : never

interface OpenPrompt {
  id: number
  Component: ComponentType<PromptProps<unknown>>
  props: object
  close: (result?: unknown) => void
}

/** Asks, and resolves with the answer; with `undefined` when the prompt was dismissed. */
export type AskPrompt = <Props extends AnyPromptProps>(
  prompt: ComponentType<Props>,
  props: Omit<Props, 'close'>,
) => Promise<ResultOf<Props> | undefined>

export interface PromptStack {
  readonly open: Store<readonly OpenPrompt[]>
  readonly ask: AskPrompt
  /** Dismisses all, as a change of the page does. */
  closeAll(): void
}

export function createPromptStack(): PromptStack {
  const open = createStore<readonly OpenPrompt[]>([])
  let lastId = 0
  const ask: AskPrompt = (prompt, props) =>
    new Promise((resolve) => {
      const id = ++lastId
      const close = (result?: unknown) => {
        open.set((prompts) => prompts.filter((other) => other.id !== id))
        resolve(result as Parameters<typeof resolve>[0])
      }
      open.set((prompts) => [
        ...prompts,
        { id, Component: prompt as unknown as ComponentType<PromptProps<unknown>>, props, close },
      ])
    })
  return {
    open,
    ask,
    closeAll() {
      for (const prompt of open.get()) prompt.close()
    },
  }
}

const PromptContext = createContext<PromptStack | undefined>(undefined)

export const PromptProvider = PromptContext.Provider

export function usePromptStack(): PromptStack {
  const stack = useContext(PromptContext)
  if (stack === undefined) throw new Error('PromptProvider is missing above this component')
  return stack
}

/** `const ask = usePrompt(); const name = await ask(NewFolderPrompt, { folder })` */
export function usePrompt(): AskPrompt {
  return usePromptStack().ask
}

/** A prompt that is fetched when it is first asked, so that dialogs stay out of the first view. */
export function lazyPrompt<Props extends AnyPromptProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
}

/** Draws the open prompts, the last asked on top. */
export function PromptHost() {
  const prompts = useStore(usePromptStack().open)
  return prompts.map(({ id, Component, props, close }) => (
    <Suspense key={id}>
      <Component {...props} close={close} />
    </Suspense>
  ))
}
