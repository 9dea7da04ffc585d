import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { AbortQuestion } from './ask-abort.ts'
import type { Uploads } from './uploads.ts'

/** Asks before work that is half done is thrown away. */
export function useAbortAll(uploads: Uploads): () => void {
  const ask = usePrompt()
  return () => {
    void ask(AbortQuestion, {}).then((sure) => {
      if (sure === true) uploads.abortAll()
    })
  }
}
