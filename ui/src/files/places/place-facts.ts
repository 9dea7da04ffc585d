import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'

/** What matters most about a place, in a word or two; undefined if there is nothing to say. */
export function usePlaceFact(): (place: PlaceView) => string | undefined {
  const t = useText()
  const format = useFormat()
  return ({ state, readOnly, free }) => {
    if (state === 'away') return t('places.away')
    if (readOnly) return t('places.readOnly')
    return free === undefined ? undefined : t('places.free', { size: format.bytes(free) })
  }
}
