import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

/** To be called before uploads take the connections of the browser. */
export const loadAbortPrompt = async () => await import('./abort-prompt.tsx')

export const AbortQuestion = lazyPrompt(async () => (await loadAbortPrompt()).AbortPrompt)
