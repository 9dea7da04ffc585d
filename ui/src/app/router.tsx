import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Permissions } from '../../../src/domain/access/permissions.ts'
import { type SessionState, useSessionState } from '../api/session.ts'
import type { TextPart } from '../i18n/parts.ts'
import { useTextPart } from '../i18n/use-text.tsx'
import type { Translations } from '../i18n/translations.ts'
import { Toaster, MenuPopup } from '../kit/overlay-hosts.tsx'
import { lazyComponent, type LazyComponent } from '../kit/lazy-component.tsx'
import { SHARED_FOLDER } from '../../../src/domain/shares/shared-folder.ts'
import { safeRedirect } from '../lib/navigation/app-path.ts'
import { type AppLocation, useLocation, useNavigateTo } from '../lib/navigation/navigation.tsx'
import { ErrorPage, SignedOutFrame } from './errors/error-screen.tsx'
import { ScreenBoundary } from './errors/route-error.tsx'
import { UploadsRoot } from './uploads-of-user.tsx'

/** The last parameter of the address, such as "7" in `/settings/users/7`. */
interface ScreenProps {
  readonly param: string
}

interface Route {
  /** `*` stands for any path, `:name` for one segment. */
  readonly path: string
  readonly Screen: ComponentType<ScreenProps> & Partial<Pick<LazyComponent<ScreenProps>, 'preload'>>
  /**
   * Shown inside the signed-in layout. `login`: visitors are sent to the login page. `optional`: they see a simple
   * frame.
   */
  readonly frame?: 'login' | 'optional'
  /** Shown inside the settings layout. */
  readonly inSettings?: boolean
  /** Users without the permission see "403". The server checks every request anyway. */
  readonly may?: (perm: Permissions) => boolean
  /** Catalogue parts that the screen needs beyond the first. */
  readonly texts?: readonly TextPart[]
}

const SignedInLayout = lazyComponent(async () => (await import('./signed-in-layout.tsx')).SignedInLayout)
const SettingsLayout = lazyComponent(async () => (await import('../admin/settings/settings-layout.tsx')).SettingsLayout)

const isAdmin = (perm: Permissions): boolean => perm.admin

const SETTINGS: readonly Omit<Route, 'frame' | 'inSettings'>[] = [
  {
    path: '/settings/profile',
    Screen: lazyComponent(async () => (await import('../admin/settings/profile/profile-page.tsx')).ProfilePage),
  },
  {
    path: '/settings/security',
    texts: ['factor', 'security', 'users', 'shares'],
    Screen: lazyComponent(async () => (await import('../admin/settings/security/security-page.tsx')).SecurityPage),
  },
  {
    path: '/settings/shares',
    may: (perm) => perm.share && perm.download,
    texts: ['shares'],
    Screen: lazyComponent(async () => (await import('../admin/shares/shares-page.tsx')).SharesPage),
  },
  {
    path: '/settings/global/:section',
    may: isAdmin,
    texts: ['admin', 'fields', 'users', 'shares'],
    Screen: lazyComponent(async () => (await import('../admin/settings/global/global-page.tsx')).GlobalPage),
  },
  {
    path: '/settings/sign-in',
    may: isAdmin,
    texts: ['admin', 'users', 'fields', 'shares', 'providers', 'groups'],
    Screen: lazyComponent(async () => (await import('../admin/settings/sign-in/sign-in-page.tsx')).SignInPage),
  },
  {
    path: '/settings/activity',
    may: isAdmin,
    texts: ['admin', 'fields'],
    Screen: lazyComponent(async () => (await import('../admin/settings/activity/activity-page.tsx')).ActivityPage),
  },
  {
    path: '/settings/roots',
    may: isAdmin,
    texts: ['groups', 'users', 'fields', 'roots'],
    Screen: lazyComponent(async () => (await import('../admin/roots/roots-page.tsx')).RootsPage),
  },
  {
    path: '/settings/users',
    may: isAdmin,
    texts: ['users'],
    Screen: lazyComponent(async () => (await import('../admin/users/list/users-page.tsx')).UsersPage),
  },
  {
    path: '/settings/users/:id',
    may: isAdmin,
    texts: ['groups', 'users', 'fields', 'roots'],
    Screen: lazyComponent(async () => (await import('../admin/users/form/user-page.tsx')).UserPage),
  },
  {
    path: '/settings/groups',
    may: isAdmin,
    texts: ['groups', 'users', 'fields', 'roots'],
    Screen: lazyComponent(async () => (await import('../admin/groups/groups-page.tsx')).GroupsPage),
  },
  {
    path: '/settings/groups/:id',
    may: isAdmin,
    texts: ['groups', 'users', 'fields', 'roots'],
    Screen: lazyComponent(async () => (await import('../admin/groups/groups-page.tsx')).GroupsPage),
  },
]

const ERRORS = [403, 404, 500] as const

const ROUTES: readonly Route[] = [
  {
    path: '/files/*',
    frame: 'login',
    Screen: lazyComponent(async () => (await import('./screens/files-screen.tsx')).FilesScreen),
  },
  {
    path: '/shared',
    frame: 'login',
    texts: ['shares', 'notices'],
    Screen: lazyComponent(async () => (await import('../files/share/granted/shared-page.tsx')).SharedPage),
  },
  {
    path: '/trash',
    frame: 'login',
    texts: ['actions'],
    Screen: lazyComponent(async () => (await import('../files/trash/trash-page.tsx')).TrashPage),
  },
  {
    path: '/help/*',
    frame: 'login',
    texts: ['actions'],
    Screen: lazyComponent(async () => (await import('../shell/help/help-page.tsx')).HelpPage),
  },
  ...SETTINGS.map((route) => ({ frame: 'login' as const, inSettings: true, ...route })),
  { path: '/login', Screen: lazyComponent(async () => (await import('../sign-in/login-page.tsx')).LoginPage) },
  {
    path: '/share/*',
    texts: ['public'],
    Screen: lazyComponent(async () => (await import('./screens/share-screen.tsx')).ShareScreen),
  },
  ...ERRORS.map((status) => ({
    path: `/${status}`,
    frame: 'optional' as const,
    Screen: () => <ErrorPage status={status} />,
  })),
]

/**
 * Fetches code and texts of the screen at a path, so that it is drawn without a placeholder.
 *
 * @throws if something cannot be fetched; drawing the screen then tries again and reports it
 */
export async function preloadScreen(pathname: string, translations: Pick<Translations, 'need'>): Promise<void> {
  const { Screen, frame, inSettings, texts = [] } = (matchRoute(pathname) ?? matchRoute('/files/'))?.route ?? {}
  const layout = frame === 'login' ? [SignedInLayout, UploadsRoot, MenuPopup, Toaster] : []
  const parts = [...layout, ...(inSettings ? [SettingsLayout] : []), Screen]
  const needed: TextPart[] = [
    ...(frame === 'login' ? ['actions' as const] : []),
    ...(inSettings ? ['settings' as const] : []),
    ...texts,
  ]
  await Promise.all([
    ...parts.map(async (part) => await part?.preload?.()),
    ...needed.map(async (part) => await translations.need(part)),
  ])
}

interface Match {
  readonly route: Route
  readonly param: string
}

/** The route of a path. A trailing slash makes no difference. */
export function matchRoute(pathname: string): Match | undefined {
  for (const route of ROUTES) {
    const pattern = route.path.replace('/*', '(?:/.*)?').replace(/:\w+/, '([^/]+)')
    const found = new RegExp(`^${pattern}/?$`).exec(pathname)
    if (found) return { route, param: found[1] ?? '' }
  }
  return undefined
}

/** Redirect for addresses without a screen. */
export function redirectOf({ pathname, href, hash }: AppLocation): string | undefined {
  const path = pathname.replace(/\/$/, '')
  if (path === `/files${SHARED_FOLDER}`) return '/shared'
  if (path === '/settings') return '/settings/profile'
  if (path === '/settings/global/sign-in') return '/settings/sign-in'
  // Older links have the section in the fragment.
  if (path === '/settings/global') {
    return hash === '#audit' ? '/settings/activity' : `/settings/global/${hash.slice(1) || 'accounts'}`
  }
  // Any other address is a path of files: "/photos/" means "/files/photos/".
  return matchRoute(pathname) === undefined ? `/files${href}` : undefined
}

/** Redirect for users who may not see the screen, must sign in first, or are already signed in. */
function refusalOf(location: AppLocation, state: SessionState): string | undefined {
  const { path, frame, may } = matchRoute(location.pathname)?.route ?? {}
  if (path === '/login' && state.status === 'signed-in') {
    return safeRedirect(new URLSearchParams(location.search).get('redirect'))
  }
  if (frame === 'login' && state.status !== 'signed-in') {
    return `/login?${new URLSearchParams({ redirect: location.href }).toString()}`
  }
  // The server refuses everything else.
  if (frame === 'login' && 'user' in state && state.user.factorDue === 0 && path !== '/settings/security')
    return '/settings/security'
  return may && !(state.status === 'signed-in' && may(state.user.perm)) ? '/403' : undefined
}

/** Renders the screen of the current address. */
export function Screens() {
  const location = useLocation()
  const state = useSessionState()
  const { pathname } = location
  // Evaluated once per path: when the session ends, `followSession` decides where to go.
  const [arrival, setArrival] = useState<{ pathname: string; refusal: string | undefined }>()
  if (arrival?.pathname !== pathname) setArrival({ pathname, refusal: refusalOf(location, state) })
  const redirect = redirectOf(location) ?? arrival?.refusal
  const match = matchRoute(pathname)
  if (redirect !== undefined || match === undefined) return redirect && <Redirect to={redirect} />
  return (
    <ScreenBoundary visit={location.state.key}>
      <Suspense>
        <Framed {...match} visit={location.state.key} isSignedIn={'user' in state} />
      </Suspense>
    </ScreenBoundary>
  )
}

interface FramedProps extends Match {
  readonly visit: string
  readonly isSignedIn: boolean
}

function Framed({ route: { Screen, frame, inSettings, texts = [] }, param, visit, isSignedIn }: FramedProps) {
  const screen = (
    <WithTexts parts={texts}>
      <Screen param={param} />
    </WithTexts>
  )
  if (frame === undefined) return screen
  if (frame === 'optional' && !isSignedIn) return <SignedOutFrame>{screen}</SignedOutFrame>
  return (
    <SignedInLayout>
      <ScreenBoundary visit={visit}>
        <Suspense>{inSettings ? <InSettings visit={visit}>{screen}</InSettings> : screen}</Suspense>
      </ScreenBoundary>
    </SignedInLayout>
  )
}

function InSettings({ visit, children }: { readonly visit: string; readonly children: ReactNode }) {
  return (
    <SettingsLayout>
      <ScreenBoundary visit={visit}>
        <Suspense>{children}</Suspense>
      </ScreenBoundary>
    </SettingsLayout>
  )
}

function WithTexts({ parts, children }: { readonly parts: readonly TextPart[]; readonly children: ReactNode }) {
  useTextPart(...parts)
  return children
}

/** Replaces the address, so that Back skips it. */
function Redirect({ to }: { readonly to: string }) {
  const navigateTo = useNavigateTo()
  useEffect(() => navigateTo(to, { replace: true }), [navigateTo, to])
  return null
}
