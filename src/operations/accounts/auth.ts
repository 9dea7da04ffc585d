import { getPasswordRules } from '../../api/accounts/auth.ts'
import { handler } from '../handler.ts'

export const authHandlers = {
  passwordRules: handler(getPasswordRules, (_, { services }) => ({
    minimumLength: services.settings.current().minimumPasswordLength,
  })),
}
