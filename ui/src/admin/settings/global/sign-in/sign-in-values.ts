import { SignInChange, type SignInView } from '../../../../../../src/domain/auth-method.ts'
import { formOf, type FormField } from '../../../../../../src/domain/forms.ts'
import { setAt, valueAt } from '../../../../../../src/domain/schema-tools.ts'

/** How people sign in, as it is edited: a secret is never shown, and an empty one stays as it is. */
export interface SignInValues extends Readonly<Record<string, unknown>> {
  readonly method: SignInView['method']
  readonly hasSecret: boolean
}

export const SIGN_IN_FIELDS: readonly FormField[] = formOf(SignInChange)
  .flatMap(({ fields }) => fields)
  .filter(({ key }) => key !== 'current_password')

/** What each way of signing in needs to know; fields whose names begin so. */
const NEEDED: Readonly<Record<SignInView['method'], readonly string[]>> = {
  json: ['recaptcha.'],
  proxy: ['header', 'createUsers'],
  hook: ['command', 'commandEnvironment', 'createUsers'],
  noauth: [],
}

export function editableSignIn(view: SignInView): SignInValues {
  const { recaptcha, ...others } = view
  const { hasSecret, ...captcha } = recaptcha
  return { ...others, hasSecret, recaptcha: { ...captcha, secret: '' } }
}

export function neededFields(method: SignInView['method']): FormField[] {
  return SIGN_IN_FIELDS.filter(
    ({ key }) =>
      key === 'method' || NEEDED[method].some((name) => key === name || (name.endsWith('.') && key.startsWith(name))),
  )
}

/** Only what was changed: a program may be named by those only who may start one. */
export function changeOf(values: SignInValues, changed: readonly FormField[]): SignInChange {
  const change: Record<string, unknown> = {}
  for (const { leaf } of changed) setAt(change, leaf.path, valueAt(values, leaf.path))
  return change
}
