import type { ApiError } from '../../../api/api-error.ts'
import type { MessageId, Translate } from '../../../i18n/use-text.tsx'
import { sentence } from '../../../lib/sentence.ts'
import type { DraftField, DraftProblem } from './user-draft.ts'
import type { UserForm } from './use-user-form.ts'

const TEXTS: Readonly<Record<DraftProblem, MessageId>> = {
  nameEmpty: 'users.nameEmpty',
  passwordEmpty: 'users.passwordEmpty',
  passwordShort: 'users.passwordShort',
  scopeEmpty: 'users.scopeEmpty',
}

/** Fields that stand somewhere in the form; what the server says of others is shown above it. */
const SHOWN: readonly string[] = ['username', 'password', 'scope', 'commands', 'rules'] satisfies DraftField[]

/** What is wrong with a field, in a sentence: as the form sees it, or as the server said. */
export function problemOfField(t: Translate, form: UserForm, field: DraftField): string | undefined {
  const problem = form.problems.get(field)
  if (problem !== undefined) return t(TEXTS[problem], { minimum: form.settings.minimumPasswordLength })
  const { refusal } = form
  return refusal !== undefined && fieldOf(refusal) === field ? sentence(refusal.message) : undefined
}

/** A refusal that concerns no field of the form. */
export function isForForm(refusal: ApiError): boolean {
  return !SHOWN.includes(fieldOf(refusal) ?? '')
}

/** The server names parts too, such as "rules.2". */
function fieldOf({ field, message }: ApiError): string | undefined {
  // The policy of passwords says what is wrong, and not where.
  if (field === undefined && message.includes('password')) return 'password'
  return field?.split('.')[0]
}
