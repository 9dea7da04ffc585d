import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import type { IconName } from '../../kit/icon/icon.tsx'

export function placeIcon(place: Pick<PlaceView, 'kind' | 'isOwn'> | undefined): IconName {
  if (place?.isOwn === true) return 'home'
  return place?.kind === 'bucket' ? 'bucket' : 'drive'
}
