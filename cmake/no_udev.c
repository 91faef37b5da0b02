/* Stands in for libudev, which Debian has no static library of. libhwloc asks
 * it for the names of devices, and does without if there is none. */
#include <stddef.h>

struct udev;
struct udev_device;

struct udev *udev_new(void);
struct udev *udev_unref(struct udev *);
struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *,
	const char *subsystem, const char *sysname);
const char *udev_device_get_property_value(struct udev_device *,
	const char *key);
struct udev_device *udev_device_unref(struct udev_device *);

struct udev *udev_new(void)
{
	return NULL;
}

struct udev *udev_unref(struct udev *udev)
{
	return udev;
}

struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *udev,
	const char *subsystem, const char *sysname)
{
	(void)udev;
	(void)subsystem;
	(void)sysname;
	return NULL;
}

const char *udev_device_get_property_value(struct udev_device *device,
	const char *key)
{
	(void)device;
	(void)key;
	return NULL;
}

struct udev_device *udev_device_unref(struct udev_device *device)
{
	return device;
}
