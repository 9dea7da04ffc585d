import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClient } from '../../api/client.ts'
import { placePathOf, places } from '../../api/places.ts'
import { usePlaceFact } from '../../files/places/place-facts.ts'
import { placeIcon } from '../../files/places/place-icon.ts'
import { placesQuery } from '../../files/queries/places-query.ts'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { SidebarSection } from './folder-sections.tsx'
import own from './place-links.module.css'
import styles from './sidebar.module.css'

/** The places of a user who has several; tells the page what may be done in them. */
export function PlaceLinks() {
  useTextPart('tools')
  const t = useText()
  const factOf = usePlaceFact()
  const path = useFilesPath() ?? '/'
  const { data = [] } = useQuery(placesQuery(useClient()))
  useEffect(() => {
    if (data.length > 0) places.set((known) => known && data)
  }, [data])
  if (data.length === 0) return null
  return (
    <SidebarSection id="places" label={t('places.title')}>
      <ul className={styles['list']}>
        {data.map((place) => (
          <li key={place.path}>
            <AppLink
              to={filesHref(`${place.path}/`)}
              className={classNames(styles['item'], place.state === 'away' && own['away'])}
              aria-current={currentOf(place.path, path)}
              data-folder={place.path}
            >
              <Icon name={placeIcon(place)} />
              <bdi className="clip">{place.name}</bdi>
              <span className={classNames(styles['end'], own['fact'])}>
                {place.state === 'away' && <Icon name="offline" size={14} />}
                {factOf(place)}
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </SidebarSection>
  )
}

function currentOf(place: string, path: string): 'page' | 'location' | undefined {
  if (placePathOf(path) !== place) return undefined
  return path === `${place}/` ? 'page' : 'location'
}
