import { fail } from '../../../domain/errors.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import type { PostForm } from '../../../platform/network/post-form.ts'

export interface CaptchaDeps {
  readonly settings: () => Readonly<Settings>
  readonly options: Pick<ServerOptions, 'recaptchaHosts'>
  readonly postForm: PostForm
}

export function createCaptcha({ settings, options, postForm }: CaptchaDeps) {
  return {
    /**
     * Whether the captcha service accepts this response; true if no captcha is required.
     *
     * @throws INTERNAL if the service cannot be reached or its response is invalid
     */
    async accepts(response: string | undefined): Promise<boolean> {
      const { host, secret } = settings().recaptcha
      if (secret === '') return true
      if (response === undefined || response === '') return false
      // An administrator must not be able to make the daemon send requests to any host.
      if (!options.recaptchaHosts.includes(host)) {
        fail('INTERNAL', `the captcha service ${host} is not one of those the daemon was started with`)
      }
      const { status, text } = await postForm(`${host}/recaptcha/api/siteverify`, { secret, response })
      return status === 200 && verdictOf(text)
    },
  }
}

export type Captcha = ReturnType<typeof createCaptcha>

function verdictOf(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return isRecord(answer) && answer['success'] === true
  } catch (error) {
    return fail('INTERNAL', 'the captcha service answered something that is not JSON', {}, { cause: error })
  }
}
