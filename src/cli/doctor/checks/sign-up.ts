import { advice, skip, type Check, type Scene } from '../check.ts'

export const signUpCheck: Check = {
  name: 'sign-up',
  title: 'Sign-up and home folders',
  run({ store: { document } }: Scene) {
    if (document === undefined) return skip('the store cannot be read')
    const { signup, createUserDir } = document.settings
    if (!signup || createUserDir) return []
    const problem = 'whoever signs up gets a home folder, but accounts that you make see everything'
    return [advice(problem, 'filemgr settings set createUserDir=true gives them home folders too')]
  },
}
