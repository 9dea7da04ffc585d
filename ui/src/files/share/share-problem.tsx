import { useText } from '../../i18n/use-text.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { problemOf, problemText } from '../actions/problem-text.ts'

/** Why the server did not do it, inside the dialog; nothing while there is no error. */
export function ShareProblem({ error }: { readonly error: Error | null }) {
  const t = useText()
  if (error === null) return null
  return (
    <Note icon="error" tone="danger" role="alert">
      {problemText(t, problemOf(error))}
    </Note>
  )
}
