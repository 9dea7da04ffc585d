import { fault, type Check, type Scene } from '../check.ts'

export const startUpValuesCheck: Check = {
  name: 'start-up-values',
  title: 'Start-up values of environment, config file and store',
  run({ optionsProblem }: Scene) {
    return optionsProblem === undefined ? [] : [fault(optionsProblem, 'correct it there; see "filemgr server get"')]
  },
}
