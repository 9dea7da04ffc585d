import { Budget, Lease } from '../../platform/budget.ts'

export { Lease }

/** How long an operation waits for others to give descriptors back, in milliseconds. */
const PATIENCE = 5000

/** So many descriptors may be open at once: operations wait for some instead of meeting the limit of the process midway. */
export class Descriptors extends Budget {
  constructor(most: number, patience = PATIENCE) {
    super({ most, patience, refusal: 'too many files are open: try again in a moment' })
  }
}
