import { Outlet } from '@tanstack/react-router'

/** The frame of all settings. */
export function SettingsLayout() {
  return <Outlet />
}
