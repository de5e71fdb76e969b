# The first process of a node: a root file system over the machine's own, then containerd.
# Everything that is mounted here belongs to the node's mount namespace and goes with it.
set -eu
dir=$1 tools=$2
ram=$dir/ram root=$dir/ram/root
mkdir -p "$ram"
mount -t tmpfs -o mode=755 tmpfs "$ram"
mkdir "$ram/upper" "$ram/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$ram/upper,workdir=$ram/work" overlay "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t sysfs sysfs "$root/sys"

if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  # A group with processes cannot hand controllers on (the kernel's no-internal-process rule).
  mkdir "$root/sys/fs/cgroup/init"
  echo $$ >"$root/sys/fs/cgroup/init/cgroup.procs"
  for controller in $(cat "$root/sys/fs/cgroup/cgroup.controllers"); do
    echo "+$controller" >"$root/sys/fs/cgroup/cgroup.subtree_control"
  done
else
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  for hierarchy in /sys/fs/cgroup/*; do
    if [ -L "$hierarchy" ]; then continue; fi # cpu -> cpu,cpuacct
    name=$(basename "$hierarchy")
    mkdir "$root/sys/fs/cgroup/$name"
    case $name in
      systemd) mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/$name" ;;
      unified) mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/$name" ;;
      *) mount -t cgroup -o "$name" cgroup "$root/sys/fs/cgroup/$name" ;;
    esac
  done
fi

mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir -p "$root/run/containerd" "$root/var/lib/containerd" "$root/etc/containerd" "$root/opt/slipway-tools"
mount --bind "$dir/run" "$root/run/containerd"
# The snapshots' upper folders may not lie on an overlay, so they lie beside it.
mount --bind "$dir/lib" "$root/var/lib/containerd"
mount --bind "$dir/root/etc/containerd" "$root/etc/containerd"
if [ -d "$dir/root/etc/docker" ]; then
  mkdir -p "$root/etc/docker"
  mount --bind "$dir/root/etc/docker" "$root/etc/docker"
fi
mount --bind "$tools" "$root/opt/slipway-tools"
rm -f "$root/etc/resolv.conf"
cp "$dir/hosts" "$root/etc/hosts"
cp "$dir/resolv.conf" "$root/etc/resolv.conf"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"

mkdir "$ram/root/mnt/slipway-old"
cd "$root"
pivot_root . mnt/slipway-old
cd /
umount -l /mnt/slipway-old
mount --make-rshared /
export PATH=/opt/slipway-tools:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
exec containerd --config /etc/containerd/config.toml
