import { usePrompt } from '../kit/dialog/prompt-stack.tsx'
import type { CodeEditor } from './ace/code-editor.ts'
import { LineQuestion } from './prompts/questions.ts'

/** Asks for a line and goes there. */
export function useAskLine(editor: CodeEditor | null): () => void {
  const ask = usePrompt()
  return () => {
    if (editor === null) return
    const last = editor.ace.session.getLength()
    void ask(LineQuestion, { last, line: editor.status.get().line }).then((place) => {
      // The dialog gives the focus back when it is gone.
      setTimeout(() => editor.ace.focus())
      if (place !== undefined) editor.ace.gotoLine(place.line, place.column - 1, false)
    })
  }
}
