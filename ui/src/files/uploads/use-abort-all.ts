import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { AbortPrompt } from './abort-prompt.tsx'
import type { Uploads } from './uploads.ts'

/** Asks before work that is half done is thrown away. */
export function useAbortAll(uploads: Uploads): () => void {
  const ask = usePrompt()
  return () => {
    void ask(AbortPrompt, {}).then((sure) => {
      if (sure === true) uploads.abortAll()
    })
  }
}
