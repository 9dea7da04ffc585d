import { checkEnding, type DurationUnit, type Ending, UNITS } from './ending.ts'

const KEY = 'filemgr:share-duration'

const USUAL: Ending = { kind: 'after', amount: '7', unit: 'days' }

/** How long the last link was to last that was made in this browser. A moment is over some day, so only durations are kept. */
export function lastEnding(storage: Pick<Storage, 'getItem'>): Ending {
  const [amount = '', unit = ''] = (storage.getItem(KEY) ?? '').split(' ')
  const ending: Ending = { kind: 'after', amount, unit: unit as DurationUnit }
  const known = UNITS.some((each) => each === unit)
  return known && checkEnding(ending, new Date()) === undefined ? ending : USUAL
}

export function keepEnding(storage: Pick<Storage, 'setItem'>, ending: Ending): void {
  if (ending.kind === 'after') storage.setItem(KEY, `${Number(ending.amount)} ${ending.unit}`)
}
