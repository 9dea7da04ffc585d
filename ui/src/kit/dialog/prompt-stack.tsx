import { type ComponentType } from 'react'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'
import { LazyBoundary, lazyComponent } from '../lazy-component.tsx'
import { requiredContext } from '../../lib/hooks.ts'

/** Passed to every prompt in addition to its own props. Closing without a result dismisses the prompt. */
export interface PromptProps<Result> {
  close: (result?: Result) => void
}

type ResultOf<Props> = Props extends { close: (result?: infer Result) => void } ? Result : never

interface OpenPrompt {
  id: number
  Component: ComponentType<PromptProps<unknown>>
  props: object
  close: (result?: unknown) => void
}

/** Shows a prompt and resolves with its result, or with `undefined` when the user dismisses it. */
export type AskPrompt = <Props extends PromptProps<never>>(
  Component: ComponentType<Props>,
  props: Omit<Props, 'close'>,
) => Promise<ResultOf<Props> | undefined>

export interface PromptStack {
  readonly open: Store<readonly OpenPrompt[]>
  readonly ask: AskPrompt
  /** Dismisses all prompts, for example when the screen changes. */
  closeAll(): void
}

export function createPromptStack(): PromptStack {
  const open = createStore<readonly OpenPrompt[]>([])
  let lastId = 0
  const ask: AskPrompt = (Component, props) =>
    new Promise((resolve) => {
      const id = ++lastId
      const close = (result?: unknown) => {
        open.set((prompts) => prompts.filter((other) => other.id !== id))
        resolve(result as Parameters<typeof resolve>[0])
      }
      open.set((prompts) => [
        ...prompts,
        { id, Component: Component as unknown as OpenPrompt['Component'], props, close },
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

export const [PromptProvider, usePromptStack] = requiredContext<PromptStack>('Prompt')

/** `const ask = usePrompt(); const name = await ask(NewFolderPrompt, { folder })` */
export function usePrompt(): AskPrompt {
  return usePromptStack().ask
}

/** A prompt whose code is fetched on first use, so that dialogs stay out of the first view. */
export function lazyPrompt<Props extends PromptProps<never>>(
  load: () => Promise<ComponentType<Props>>,
  Fallback?: ComponentType<NoInfer<Props>>,
): ComponentType<Props> {
  return lazyComponent(load, Fallback)
}

/** Shows the open prompts, the latest on top. */
export function PromptHost({ onError }: { onError: (error: unknown) => void }) {
  const prompts = useStore(usePromptStack().open)
  return prompts.map(({ id, Component, props, close }) => (
    <LazyBoundary
      key={id}
      onError={(error) => {
        close()
        onError(error)
      }}
    >
      <Component {...props} close={close} />
    </LazyBoundary>
  ))
}
