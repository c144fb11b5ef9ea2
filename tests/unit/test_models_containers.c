/* SPDX-License-Identifier: MIT */
/* Containers: what they start, get of their host, and delete. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_when_the_daemon_of_this_machine_is_asked_rows[] = {
	{ "docker --version", "", NULL },
	{ "docker version", "", NULL },
	{ "docker info", "", NULL },
	{ "docker ps -a", "", NULL },
	{ "docker ps --format '{{.ID}}'", "", NULL },
	{ "docker images", "", NULL },
	{ "docker image ls -q", "", NULL },
	{ "docker logs --tail 20 web", "", NULL },
	{ "docker logs -f web", "", NULL },
	{ "docker inspect web", "", NULL },
	{ "docker top web", "", NULL },
	{ "docker stats --no-stream", "", NULL },
	{ "docker port web", "", NULL },
	{ "docker diff web", "", NULL },
	{ "docker history x", "", NULL },
	{ "docker volume ls -q", "", NULL },
	{ "docker volume inspect x", "", NULL },
	{ "docker network ls", "", NULL },
	{ "docker system df", "", NULL },
	{ "docker context ls", "", NULL },
	{ "docker buildx ls", "", NULL },
	{ "docker compose ps", "", NULL },
	{ "docker compose logs web", "", NULL },
	{ "docker compose version", "", NULL },
	{ "docker-compose ps", "", NULL },
	{ "docker run --help", "", NULL },
	{ "podman ps", "", NULL },
	{ "podman images", "", NULL },
	{ "nerdctl ps", "", NULL },
	{ "crictl ps", "", NULL },
	{ "lxc list", "", NULL },
	{ "virsh list", "", NULL },
	{ "minikube status", "", NULL },
	{ "kind get clusters", "", NULL },
	{ "limactl list", "", NULL },
	{ "vagrant --version", "", NULL },
};

static void
reads_when_the_daemon_of_this_machine_is_asked(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, reads_when_the_daemon_of_this_machine_is_asked_rows,
				     COUNT_OF(reads_when_the_daemon_of_this_machine_is_asked_rows)),
			 0);
}

static const struct fixture_row asks_when_a_container_changes_rows[] = {
	{ "docker run --rm alpine ls", "rule:container.run [container!remote!prompt: ls]", NULL },
	{ "docker run -d -p 80:80 --name web nginx", "rule:container.run", NULL },
	{ "docker run --rm ghcr.io/x/y:1", "rule:container.run", NULL },
	{ "docker create alpine", "rule:container.run", NULL },
	{ "docker start web", "rule:container.control", NULL },
	{ "docker stop web", "rule:container.control", NULL },
	{ "docker rm -f web1", "rule:container.remove", NULL },
	{ "docker rmi x", "rule:container.remove", NULL },
	{ "docker kill web", "rule:container.control", NULL },
	{ "docker system prune", "rule:container.prune", NULL },
	{ "docker system prune -af", "rule:container.prune", NULL },
	{ "docker image prune -a", "rule:container.prune", NULL },
	{ "docker container prune -f", "rule:container.prune", NULL },
	{ "docker volume prune", "rule:container.prune", NULL },
	{ "docker volume create x", "rule:container.control", NULL },
	{ "docker network rm x", "rule:container.remove", NULL },
	{ "docker build -t app .", "rule:container.build net", NULL },
	{ "docker build -f x -o out .", "rule:container.build read:x write:out net", NULL },
	{ "docker pull alpine", "rule:container.registry net", NULL },
	{ "docker push x", "rule:container.registry net", NULL },
	{ "docker login -u x", "rule:container.login", NULL },
	{ "docker save -o x.tar y", "rule:container.save write:x.tar", NULL },
	{ "docker load -i x.tar", "rule:container.save read:x.tar", NULL },
	{ "docker tag a b", "rule:container.control", NULL },
	{ "docker commit a b", "rule:container.control", NULL },
	{ "docker compose up -d", "rule:container.control", NULL },
	{ "docker compose down", "rule:container.down", NULL },
	{ "docker compose build", "rule:container.build", NULL },
	{ "docker compose config", "rule:container.compose-config", NULL },
	{ "docker compose rm -f web", "rule:container.remove", NULL },
	{ "docker service rm x", "rule:container.settings", NULL },
	{ "docker stack deploy -c x y", "rule:container.settings rule:container.remote-daemon net",
	  NULL },
	{ "docker context use x", "rule:container.settings", NULL },
	{ "docker -H tcp://x:1 ps", "rule:container.remote-daemon net", NULL },
	{ "docker --context x ps", "rule:container.remote-daemon net", NULL },
	{ "docker plugin install x", "rule:container.registry net", NULL },
	{ "docker nosuch", "unknown", NULL },
	{ "docker ps --no-such", "unknown", NULL },
	{ "docker events $x", "unknown", NULL },
	{ "podman unshare rm -rf /", "rule:container.unshare [docker: rm -rf /]", NULL },
	{ "podman machine start", "rule:container.control", NULL },
	{ "buildah bud .", "rule:container.build", NULL },
	{ "crictl rm x", "rule:container.remove", NULL },
	{ "ctr images ls", "rule:container.run", NULL },
	{ "lxc launch x", "rule:container.control", NULL },
	{ "lxc delete x", "rule:container.remove", NULL },
	{ "vagrant up", "rule:vm.run", NULL },
	{ "vagrant destroy", "rule:vm.delete", NULL },
	{ "virsh start x", "rule:vm.run", NULL },
	{ "virsh undefine x", "rule:vm.delete", NULL },
	{ "virsh -c qemu+ssh://h/system list", "rule:container.settings", NULL },
	{ "minikube start", "rule:cluster.local", NULL },
	{ "minikube delete", "rule:cluster.local", NULL },
	{ "kind delete cluster", "rule:cluster.local", NULL },
	{ "colima start", "rule:cluster.local", NULL },
	{ "limactl delete x", "rule:cluster.local", NULL },
	{ "qemu-system-x86_64 -hda x", "rule:vm.run", NULL },
	{ "kind get kubeconfig", "rule:container.compose-config", NULL },
};

static void
asks_when_a_container_changes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_a_container_changes_rows,
				     COUNT_OF(asks_when_a_container_changes_rows)),
			 0);
}

static const struct fixture_row finds_the_command_when_a_container_runs_one_rows[] = {
	{ "docker exec web rm -rf /", "rule:container.exec [container!remote!prompt: rm -rf /]",
	  NULL },
	{ "docker exec -it -u root -w /x web sh -c 'rm -rf /'",
	  "rule:container.exec [container!remote!prompt: sh -c rm -rf /]", NULL },
	{ "docker run --entrypoint sh alpine -c 'rm -rf /'",
	  "rule:container.run [container!remote!prompt: sh -c rm -rf /]", NULL },
	{ "docker compose exec db psql -c 'DROP TABLE x'",
	  "rule:container.exec [container!remote!prompt: psql -c DROP TABLE x]", NULL },
	{ "docker compose run --rm web rm -rf /",
	  "rule:container.run [container!remote!prompt: rm -rf /]", NULL },
	{ "docker-compose -f a.yml exec web ls",
	  "read:a.yml rule:container.exec [container!remote!prompt: ls]", NULL },
	{ "podman exec web ls", "rule:container.exec [container!remote!prompt: ls]", NULL },
	{ "kubectl exec web-0 -- ls", "rule:cluster.exec [kubectl exec!remote!prompt: ls] net",
	  NULL },
	{ "lxc exec c1 -- rm -rf /", "rule:container.exec [container!remote!prompt: rm -rf /]",
	  NULL },
	{ "vagrant ssh -c 'rm -rf /'", "rule:container.exec [container!remote!prompt sh: rm -rf /]",
	  NULL },
	{ "limactl shell x rm -rf /", "rule:container.exec [container!remote!prompt: rm -rf /]",
	  NULL },
};

static void
finds_the_command_when_a_container_runs_one(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, finds_the_command_when_a_container_runs_one_rows,
				     COUNT_OF(finds_the_command_when_a_container_runs_one_rows)),
			 0);
}

static const struct fixture_row judges_paths_when_a_container_gets_files_rows[] = {
	{ "docker run -v ~/.ssh:/k alpine cat /k/id",
	  "rule:container.run read:~/.ssh [container!remote!prompt: cat /k/id]", NULL },
	{ "docker run -v ./src:/src:ro alpine ls",
	  "rule:container.run read:./src [container!remote!prompt: ls]", NULL },
	{ "docker run -v data:/x alpine ls", "rule:container.run [container!remote!prompt: ls]",
	  NULL },
	{ "docker run --mount type=bind,source=/srv/x,target=/y alpine",
	  "rule:container.run read:/srv/x", NULL },
	{ "docker run -v /sys:/sys:ro x", "rule:container.run read:/sys", NULL },
	{ "docker cp web:/etc/a .", "rule:container.copy extract:.", NULL },
	{ "docker cp x web:/y", "rule:container.copy send:x", NULL },
};

static void
judges_paths_when_a_container_gets_files(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, judges_paths_when_a_container_gets_files_rows,
				     COUNT_OF(judges_paths_when_a_container_gets_files_rows)),
			 0);
}

static const struct fixture_row forbids_when_data_or_the_host_is_given_away_rows[] = {
	{ "docker run --rm -it -v /:/mnt alpine chroot /mnt sh",
	  "rule:container.run rule:container.host-mount [container!remote!prompt: chroot /mnt sh]",
	  NULL },
	{ "docker run -v /:/host:ro alpine ls",
	  "rule:container.run rule:container.host-mount [container!remote!prompt: ls]", NULL },
	{ "docker run -v/etc/:/etc alpine ls",
	  "rule:container.run rule:container.host-mount [container!remote!prompt: ls]", NULL },
	{ "docker run --volume=/root:/r alpine ls",
	  "rule:container.run rule:container.host-mount [container!remote!prompt: ls]", NULL },
	{ "docker run -v /var/run/docker.sock:/var/run/docker.sock docker sh",
	  "rule:container.run rule:container.daemon-socket [container!remote!prompt: sh]", NULL },
	{ "docker run --mount type=bind,source=/,target=/h x",
	  "rule:container.run rule:container.host-mount", NULL },
	{ "docker run --mount type=bind,src=/var/run/docker.sock,dst=/x y",
	  "rule:container.run rule:container.daemon-socket", NULL },
	{ "docker run --privileged alpine", "rule:container.run rule:container.privileged", NULL },
	{ "docker run --cap-add=SYS_ADMIN alpine", "rule:container.run rule:container.privileged",
	  NULL },
	{ "docker run --device=/dev/sda alpine", "rule:container.run rule:container.privileged",
	  NULL },
	{ "docker create --privileged x", "rule:container.run rule:container.privileged", NULL },
	{ "podman run -v /:/x y", "rule:container.run rule:container.host-mount", NULL },
	{ "docker system prune -af --volumes", "rule:container.prune-volumes", NULL },
	{ "docker volume prune -af", "rule:container.prune-volumes", NULL },
	{ "docker volume prune -f", "rule:container.prune-volumes", NULL },
	{ "docker volume rm x", "rule:container.volume-delete", NULL },
	{ "docker volume rm $x", "rule:container.volume-delete unknown", NULL },
	{ "docker compose down -v", "rule:container.down-volumes", NULL },
	{ "docker-compose down --volumes", "rule:container.down-volumes", NULL },
	{ "docker rm -f $x", "rule:container.remove-all unknown", NULL },
	{ "docker container rm --force $x", "rule:container.remove-all unknown", NULL },
	{ "docker swarm leave --force", "rule:container.reset", NULL },
	{ "podman system reset -f", "rule:container.reset", NULL },
	{ "podman rm -af", "rule:container.remove-all", NULL },
	{ "podman volume rm -a", "rule:container.volume-delete", NULL },
	{ "lxc storage volume delete a b", "rule:container.volume-delete", NULL },
	{ "vagrant destroy -f", "rule:vm.delete rule:vm.destroy", NULL },
	{ "virsh undefine x --remove-all-storage", "rule:vm.delete rule:container.volume-delete",
	  NULL },
	{ "virsh vol-delete x", "rule:container.volume-delete", NULL },
	{ "minikube delete --purge", "rule:cluster.local rule:cluster.local-purge", NULL },
};

static void
forbids_when_data_or_the_host_is_given_away(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_data_or_the_host_is_given_away_rows,
				     COUNT_OF(forbids_when_data_or_the_host_is_given_away_rows)),
			 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_when_the_daemon_of_this_machine_is_asked),
		cmocka_unit_test(asks_when_a_container_changes),
		cmocka_unit_test(finds_the_command_when_a_container_runs_one),
		cmocka_unit_test(judges_paths_when_a_container_gets_files),
		cmocka_unit_test(forbids_when_data_or_the_host_is_given_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
